import { compareRange } from '../../../src/model/bytes.ts'
import type { Scan } from '../../../src/model/query.ts'
import type { Steps } from '../../../src/model/steps.ts'
import { SeekKey } from '../cells/seek-key.ts'
import type { CellMerge } from './cell-merge.ts'
import type { RowOrder } from './row-order.ts'
import type { ScannedFamilies } from './scanned-families.ts'

/** Goes from the least row to the greatest. A family that has read a row stands after it. */
export class ForwardOrder implements RowOrder {
  readonly #families: ScannedFamilies
  readonly #scan: Scan

  constructor(families: ScannedFamilies, scan: Scan) {
    this.#families = families
    this.#scan = scan
  }

  seekFirstRow(): void {
    if (this.#scan.startRow.length === 0) {
      for (const { cells } of this.#families.essential) cells.seekToFirst()
      for (const { cells } of this.#families.onDemand) cells.seekToFirst()
      return
    }
    const { buffer } = this.#firstKey()
    for (const { cells } of this.#families.essential) cells.seek(buffer, 0)
    for (const { cells } of this.#families.onDemand) cells.seek(buffer, 0)
  }

  *seekFirstRowInSteps(): Steps<void> {
    const { buffer } = this.#firstKey()
    for (const { cells } of this.#families.essential) yield* cells.seekInSteps(buffer, 0)
    for (const { cells } of this.#families.onDemand) yield* cells.seekInSteps(buffer, 0)
  }

  #firstKey(): SeekKey {
    const { startRow, includeStartRow } = this.#scan
    const key = new SeekKey()
    if (includeStartRow || startRow.length === 0) key.firstOfRow(startRow)
    else key.afterRow(startRow)
    return key
  }

  leaveRow(): void {}

  first(): CellMerge | undefined {
    const least = this.#least()
    if (least === undefined || this.#scan.stopRow.length === 0) return least
    return this.#isPastStop(least) ? undefined : least
  }

  #least(): CellMerge | undefined {
    const families = this.#families.essential
    if (families.length === 1) {
      const { cells } = families[0]!
      return cells.valid ? cells : undefined
    }
    let least: CellMerge | undefined
    for (const { cells } of families) {
      if (cells.valid && (least === undefined || compareRows(cells, least) < 0)) least = cells
    }
    return least
  }

  #isPastStop(cells: CellMerge): boolean {
    const { stopRow, includeStopRow } = this.#scan
    const order = compareToRow(cells, stopRow)
    return order === 0 ? !includeStopRow : order > 0
  }
}

/** Order of the row that a merge stands at and a given one. */
export function compareToRow({ buffer, cell }: CellMerge, row: Buffer): number {
  const length = (buffer[cell + 8]! << 8) | buffer[cell + 9]!
  return compareRange(buffer, cell + 10, length, row, 0, row.length)
}

/** Order of the rows that two merges stand at. */
export function compareRows(a: CellMerge, b: CellMerge): number {
  return compareRange(
    a.buffer,
    a.cell + 10,
    (a.buffer[a.cell + 8]! << 8) | a.buffer[a.cell + 9]!,
    b.buffer,
    b.cell + 10,
    (b.buffer[b.cell + 8]! << 8) | b.buffer[b.cell + 9]!,
  )
}
