import type { Scan } from '../../../src/model/query.ts'
import type { Steps } from '../../../src/model/steps.ts'
import type { CellMerge } from './cell-merge.ts'
import { compareRows, compareToRow } from './forward-order.ts'
import type { RowOrder } from './row-order.ts'
import type { ScannedFamilies } from './scanned-families.ts'

/** Goes from the greatest row to the least. A row's cells are read forwards, so each row needs its own seek. */
export class ReversedOrder implements RowOrder {
  readonly #families: ScannedFamilies
  readonly #scan: Scan

  constructor(families: ScannedFamilies, scan: Scan) {
    this.#families = families
    this.#scan = scan
  }

  seekFirstRow(): void {
    const before = this.#behindFirst()
    for (const { cells } of this.#families.essential) cells.seekPreviousRow(before)
  }

  *seekFirstRowInSteps(): Steps<void> {
    const before = this.#behindFirst()
    for (const { cells } of this.#families.essential) yield* cells.seekPreviousRowInSteps(before)
  }

  #behindFirst(): Buffer {
    const { startRow, includeStartRow } = this.#scan
    // startRow and a zero byte is the least row after startRow.
    return includeStartRow && startRow.length > 0 ? Buffer.concat([startRow, Buffer.alloc(1)]) : startRow
  }

  /** Moves the families that had the row to the one before it; the others already stand there. */
  leaveRow(): void {
    const { essential, row } = this.#families
    let left: Buffer | undefined
    for (const { hadRow, cells } of essential) if (hadRow) cells.seekPreviousRow((left ??= row.copy()))
  }

  first(): CellMerge | undefined {
    let greatest: CellMerge | undefined
    for (const { cells } of this.#families.essential) {
      if (cells.valid && (greatest === undefined || compareRows(cells, greatest) > 0)) greatest = cells
    }
    return greatest === undefined || this.#isPastStop(greatest) ? undefined : greatest
  }

  #isPastStop(cells: CellMerge): boolean {
    const { stopRow, includeStopRow } = this.#scan
    if (stopRow.length === 0) return false
    const order = compareToRow(cells, stopRow)
    return order === 0 ? !includeStopRow : order < 0
  }
}
