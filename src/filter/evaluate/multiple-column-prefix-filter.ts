import { EMPTY, equalRange } from '../../model/bytes.ts'
import { BaseEvaluator } from './base-evaluator.ts'
import { compareQualifier, qualifierLength, qualifierOffset } from './cell-parts.ts'
import { FilterCode } from './filter-code.ts'
import { KeyCell } from './key-cell.ts'

/**
 * Passes the columns that begin with one of several prefixes. HBase: MultipleColumnPrefixFilter.filterColumn, which looks
 * only at the greatest prefix that is not after the column, so that a prefix hides a shorter one that it begins with:
 * `ab` and `abc` leave out `abd`.
 */
export class MultipleColumnPrefixFilter extends BaseEvaluator {
  readonly #prefixes: readonly Buffer[]
  readonly #hint = new KeyCell()
  #next: Buffer = EMPTY

  /** `prefixes`: in their order. */
  constructor(prefixes: readonly Buffer[]) {
    super()
    this.#prefixes = prefixes
  }

  override get isHinting(): boolean {
    return true
  }

  override filterCell(buffer: Buffer, cell: number): FilterCode {
    const prefixes = this.#prefixes
    if (prefixes.length === 0) return FilterCode.Include
    const after = this.#firstAfter(buffer, cell)
    if (after > 0 && beginsWith(buffer, cell, prefixes[after - 1]!)) return FilterCode.Include
    if (after === prefixes.length) return FilterCode.NextRow
    this.#next = prefixes[after]!
    return FilterCode.SeekNextUsingHint
  }

  /** The index of the first prefix that is greater than the column. */
  #firstAfter(buffer: Buffer, cell: number): number {
    let from = 0
    let to = this.#prefixes.length
    while (from < to) {
      const middle = (from + to) >>> 1
      if (compareQualifier(buffer, cell, this.#prefixes[middle]!) < 0) to = middle
      else from = middle + 1
    }
    return from
  }

  override nextCellHint(buffer: Buffer, cell: number): Buffer {
    return this.#hint.firstOnColumn(buffer, cell, this.#next)
  }
}

function beginsWith(buffer: Buffer, cell: number, prefix: Buffer): boolean {
  const length = prefix.length
  if (qualifierLength(buffer, cell) < length) return false
  return equalRange(buffer, qualifierOffset(buffer, cell), length, prefix, 0, length)
}
