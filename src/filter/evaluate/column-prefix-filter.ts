import { compareRange } from '../../model/bytes.ts'
import { BaseEvaluator } from './base-evaluator.ts'
import { qualifierLength, qualifierOffset } from './cell-parts.ts'
import { FilterCode } from './filter-code.ts'
import { KeyCell } from './key-cell.ts'

export class ColumnPrefixFilter extends BaseEvaluator {
  readonly #prefix: Buffer
  readonly #hint = new KeyCell()

  constructor(prefix: Buffer) {
    super()
    this.#prefix = prefix
  }

  override get isHinting(): boolean {
    return true
  }

  override filterCell(buffer: Buffer, cell: number): FilterCode {
    const length = this.#prefix.length
    const found = Math.min(qualifierLength(buffer, cell), length)
    const order = compareRange(buffer, qualifierOffset(buffer, cell), found, this.#prefix, 0, length)
    if (order < 0) return FilterCode.SeekNextUsingHint
    return order > 0 ? FilterCode.NextRow : FilterCode.Include
  }

  override nextCellHint(buffer: Buffer, cell: number): Buffer {
    return this.#hint.firstOnColumn(buffer, cell, this.#prefix)
  }
}
