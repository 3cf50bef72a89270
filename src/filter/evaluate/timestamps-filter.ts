import { LATEST_HIGH, LATEST_LOW } from '../../model/timestamp.ts'
import { BaseEvaluator } from './base-evaluator.ts'
import { cellTimestampHigh, cellTimestampLow } from './cell-parts.ts'
import { FilterCode } from './filter-code.ts'
import { KeyCell } from './key-cell.ts'
import type { TimestampSet } from './timestamp-set.ts'

/** Passes the cells with one of several timestamps. With `canHint` the filter seeks to the next older of them. */
export class TimestampsFilter extends BaseEvaluator {
  readonly #timestamps: TimestampSet
  readonly #canHint: boolean
  readonly #hint = new KeyCell()

  constructor(timestamps: TimestampSet, canHint: boolean) {
    super()
    this.#timestamps = timestamps
    this.#canHint = canHint
  }

  override get isHinting(): boolean {
    return true
  }

  override filterCell(buffer: Buffer, cell: number): FilterCode {
    const timestamps = this.#timestamps
    const high = cellTimestampHigh(buffer, cell)
    const low = cellTimestampLow(buffer, cell)
    const index = timestamps.indexOf(high, low)
    if (index < timestamps.size && timestamps.high(index) === high && timestamps.low(index) === low) {
      return FilterCode.Include
    }
    // HBase: TimestampsFilter.init, which takes Long.MAX_VALUE for the least of no timestamps.
    const isBeforeAll = timestamps.size === 0 ? high !== LATEST_HIGH || low !== LATEST_LOW : index === 0
    if (isBeforeAll) return FilterCode.NextColumn
    return this.#canHint ? FilterCode.SeekNextUsingHint : FilterCode.Skip
  }

  override nextCellHint(buffer: Buffer, cell: number): Buffer | undefined {
    if (!this.#canHint) return undefined
    const timestamps = this.#timestamps
    const index = timestamps.indexOf(cellTimestampHigh(buffer, cell), cellTimestampLow(buffer, cell)) - 1
    if (index < 0) return this.#hint.lastOnColumn(buffer, cell)
    return this.#hint.firstOnColumnAt(buffer, cell, timestamps.high(index), timestamps.low(index))
  }
}
