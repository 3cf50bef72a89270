import { EMPTY } from '../../model/bytes.ts'
import type { FilterOfKind } from '../../model/filter.ts'
import { BaseEvaluator } from './base-evaluator.ts'
import { compareQualifier } from './cell-parts.ts'
import { FilterCode } from './filter-code.ts'
import { KeyCell } from './key-cell.ts'

export class ColumnRangeFilter extends BaseEvaluator {
  readonly #range: FilterOfKind<'ColumnRangeFilter'>
  readonly #hint = new KeyCell()

  constructor(range: FilterOfKind<'ColumnRangeFilter'>) {
    super()
    this.#range = range
  }

  override get isHinting(): boolean {
    return true
  }

  override filterCell(buffer: Buffer, cell: number): FilterCode {
    const { min, includeMin, max, includeMax } = this.#range
    if (min !== undefined) {
      const order = compareQualifier(buffer, cell, min)
      if (order < 0) return FilterCode.SeekNextUsingHint
      if (order === 0 && !includeMin) return FilterCode.NextColumn
    }
    if (max === undefined) return FilterCode.Include
    const order = compareQualifier(buffer, cell, max)
    return order < 0 || (order === 0 && includeMax) ? FilterCode.Include : FilterCode.NextRow
  }

  override nextCellHint(buffer: Buffer, cell: number): Buffer {
    return this.#hint.firstOnColumn(buffer, cell, this.#range.min ?? EMPTY)
  }
}
