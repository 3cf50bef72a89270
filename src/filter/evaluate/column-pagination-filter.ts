import { BaseEvaluator } from './base-evaluator.ts'
import { compareQualifier } from './cell-parts.ts'
import { FilterCode } from './filter-code.ts'
import { KeyCell } from './key-cell.ts'

/** Passes `limit` columns of a row after its first `offset` columns. */
export class ColumnPageByCount extends BaseEvaluator {
  readonly #offset: number
  readonly #end: number
  #count = 0

  constructor(limit: number, offset: number) {
    super()
    this.#offset = offset
    // A Java int: past its maximum the page ends before it begins.
    this.#end = (offset + limit) | 0
  }

  override reset(): void {
    this.#count = 0
  }

  override filterCell(): FilterCode {
    if (this.#count >= this.#end) return FilterCode.NextRow
    return this.#count++ < this.#offset ? FilterCode.NextColumn : FilterCode.IncludeAndNextColumn
  }
}

/**
 * Passes `limit` columns of a row, from a given column on. Once a row has one, its next family starts at its first
 * column.
 */
export class ColumnPageFromColumn extends BaseEvaluator {
  readonly #limit: number
  readonly #first: Buffer
  readonly #hint = new KeyCell()
  #count = 0

  constructor(limit: number, first: Buffer) {
    super()
    this.#limit = limit
    this.#first = first
  }

  override reset(): void {
    this.#count = 0
  }

  override filterCell(buffer: Buffer, cell: number): FilterCode {
    if (this.#count >= this.#limit) return FilterCode.NextRow
    if (this.#count === 0 && compareQualifier(buffer, cell, this.#first) < 0) {
      return FilterCode.SeekNextUsingHint
    }
    this.#count++
    return FilterCode.IncludeAndNextColumn
  }

  override nextCellHint(buffer: Buffer, cell: number): Buffer {
    return this.#hint.firstOnColumn(buffer, cell, this.#first)
  }
}
