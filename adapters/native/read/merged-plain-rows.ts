import { compareRange } from '../../../src/model/bytes.ts'
import { CellType } from '../../../src/model/cell.ts'
import type { Scan } from '../../../src/model/query.ts'
import type { ScatteredCells } from '../../../src/model/scattered-cells.ts'
import type { CellIterator } from '../cells/cell-run.ts'
import { isSameRow, ROW_BYTES_MAX } from '../cells/plain-cells.ts'
import { SeekKey } from '../cells/seek-key.ts'
import type { FamilyScanner } from './family-scanner.ts'
import {
  hasEmptyQualifier,
  isCut,
  OTHER_ROWS_MAX,
  PLAIN_CELLS_MAX,
  type PlainLimits,
  type PlainReader,
  takeCutRow,
} from './plain-rows.ts'
import { PlainTags } from './plain-tags.ts'

/** The most rows to read from cell to cell before a run is asked again for rows of its own. */
const WAIT_ROWS_MAX = 64

/** As PlainRows, for rows whose cells are in several runs: the first cell of a column is the newest of all runs. */
export class MergedPlainRows implements PlainReader {
  readonly #family: FamilyScanner
  /** EMPTY: the scan goes to the end. */
  readonly #stopRow: Buffer
  readonly #key = new SeekKey()
  readonly #tags = new PlainTags()
  #otherRows = 0
  /** The run of the last row; the next ones may be its alone. */
  #lastRun: CellIterator | undefined
  /** Rows to read before the run is asked again for rows of its own, and their number after it had none. */
  #rowsToWait = 0
  #wait = 0

  constructor(family: FamilyScanner, scan: Scan) {
    this.#family = family
    this.#stopRow = scan.stopRow
    this.#tags.begin(scan)
  }

  get helps(): boolean {
    return this.#otherRows < OTHER_ROWS_MAX
  }

  read(target: ScatteredCells, counts: number[], limits: PlainLimits): void {
    const { rows, cellsEnd, bytes, blocks, blockBytesEnd } = limits
    const family = this.#family
    const { cells } = family
    const stopRow = this.#stopRow
    const rowsEnd = counts.length + rows
    while (counts.length < rowsEnd && target.byteLength < bytes && cells.valid) {
      if (family.cellsSeen >= cellsEnd || blocks.blockBytesRead >= blockBytesEnd) return
      if (this.#mayBeAlone(cells.iterator)) {
        const before = target.count
        const otherRow = this.#addRowsOfRun(target, counts, rowsEnd, limits)
        if (otherRow !== undefined) {
          this.#goBackTo(otherRow)
          return
        }
        if (target.count > before) continue
      }
      const { buffer, cell } = cells
      const rowBytes = (buffer[cell + 8]! << 8) | buffer[cell + 9]!
      if (stopRow.length > 0 && compareRange(buffer, cell + 10, rowBytes, stopRow, 0, stopRow.length) >= 0) {
        return
      }
      const before = target.count
      const seenBefore = family.cellsSeen
      const isPlain = this.#readRow(target, rowBytes, limits.cutBytes)
      if (!isPlain || isCut(target, before, limits.cutBytes)) {
        target.rewind(before)
        if (isPlain) family.cellsSeen = seenBefore
        else this.#otherRows++
        this.#goBackTo(buffer.subarray(cell + 10, cell + 10 + rowBytes))
        return
      }
      counts.push(target.count - before)
    }
  }

  #goBackTo(row: Buffer): void {
    this.#key.firstOfRow(row)
    this.#family.cells.seek(this.#key.buffer, 0)
  }

  #mayBeAlone(run: CellIterator): boolean {
    const isSame = run === this.#lastRun
    this.#lastRun = run
    return isSame && --this.#rowsToWait < 0
  }

  /** Has the run add rows. Returns the last one where that is left to the RowSource: the merge is then behind it. */
  #addRowsOfRun(
    cells: ScatteredCells,
    counts: number[],
    rowsEnd: number,
    { bytes, cellsEnd, cutBytes }: PlainLimits,
  ): Buffer | undefined {
    const family = this.#family
    const { count } = cells
    const { length: rowsBefore } = counts
    family.cells.addPlainRows({
      cells,
      counts,
      rowsEnd,
      bytesEnd: bytes,
      cellsEnd: count + cellsEnd - family.cellsSeen,
      stopRow: this.#stopRow,
    })
    const hasRows = counts.length > rowsBefore
    this.#wait = hasRows ? 0 : Math.min(2 * this.#wait + 1, WAIT_ROWS_MAX)
    this.#rowsToWait = this.#wait
    const cutRow = hasRows ? takeCutRow(cells, counts, cutBytes) : undefined
    family.cellsSeen += cells.count - count
    return cutRow
  }

  /** False if the row is not plain: the merge is then somewhere in it. */
  #readRow(target: ScatteredCells, rowBytes: number, cutBytes: number): boolean {
    const family = this.#family
    const { cells } = family
    const first = target.count
    let isNewColumn = true
    const cellsEnd = family.cellsSeen + PLAIN_CELLS_MAX
    const bytesEnd = target.cellBytes + ROW_BYTES_MAX
    for (;;) {
      const { iterator, cell } = cells
      const { memory } = iterator
      family.cellsSeen++
      if (family.cellsSeen > cellsEnd || target.cellBytes > bytesEnd) return false
      if (memory.view.getUint8(cell + memory.view.getInt32(cell) + 7) !== CellType.Put) return false
      if (iterator.tagsBytes > 0 && !this.#tags.allows(iterator)) return false
      if (isNewColumn) {
        target.add(memory, cell, iterator.cellBytes)
        if (isCut(target, first, cutBytes)) return true
      }
      const isEmpty = hasEmptyQualifier(memory.view, cell, rowBytes)
      if (isEmpty) cells.next()
      else {
        cells.leaveColumn()
        if (cells.hasLeftRow) return true
      }
      if (!cells.valid) return true
      const next = cells.iterator.memory.view
      if (!isSameRow(memory.view, cell, next, cells.cell, rowBytes)) return true
      isNewColumn = !isEmpty || !hasEmptyQualifier(next, cells.cell, rowBytes)
    }
  }
}
