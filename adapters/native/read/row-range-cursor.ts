import type { RowRange } from '../../../src/model/filter.ts'
import { SeekKey } from '../cells/seek-key.ts'
import type { CellMerge } from './cell-merge.ts'
import { compareToRow } from './forward-order.ts'

/** Takes a scan from one range of rows to the next, in either direction. */
export class RowRangeCursor {
  readonly #ranges: readonly RowRange[]
  readonly #reversed: boolean
  readonly #key = new SeekKey()
  /** Index of the range that the scan is in or before. */
  #index: number

  /** `ranges`: in order and apart. */
  constructor(ranges: readonly RowRange[], reversed: boolean) {
    this.#ranges = ranges
    this.#reversed = reversed
    this.#index = reversed ? ranges.length - 1 : 0
  }

  /** The range of the merge's row, or the next one ahead; undefined if all are behind. */
  rangeAt(cells: CellMerge): RowRange | undefined {
    const step = this.#reversed ? -1 : 1
    for (;;) {
      const range = this.#ranges[this.#index]
      if (range === undefined) return undefined
      if (this.#reversed ? !isBefore(cells, range) : !isAfter(cells, range)) return range
      this.#index += step
    }
  }

  isWithin(cells: CellMerge, range: RowRange): boolean {
    return !isBefore(cells, range) && !isAfter(cells, range)
  }

  /** Moves a merge that stands before the range into it. */
  seek(cells: CellMerge, range: RowRange): void {
    if (this.#reversed) {
      if (isAfter(cells, range)) cells.seekPreviousRow(leastRowAfter(range))
      return
    }
    if (range.includeStartRow) this.#key.firstOfRow(range.startRow)
    else this.#key.afterRow(range.startRow)
    cells.seekForward(this.#key.buffer, 0)
  }
}

function isBefore(cells: CellMerge, { startRow, includeStartRow }: RowRange): boolean {
  const order = compareToRow(cells, startRow)
  return order < 0 || (order === 0 && !includeStartRow)
}

function isAfter(cells: CellMerge, { stopRow, includeStopRow }: RowRange): boolean {
  if (stopRow.length === 0) return false
  const order = compareToRow(cells, stopRow)
  return order > 0 || (order === 0 && !includeStopRow)
}

/** The least row after the range. */
function leastRowAfter({ stopRow, includeStopRow }: RowRange): Buffer {
  return includeStopRow ? Buffer.concat([stopRow, Buffer.alloc(1)]) : stopRow
}
