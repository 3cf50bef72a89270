import { compareRange } from '../../../src/model/bytes.ts'
import { CellType } from '../../../src/model/cell.ts'
import type { Scan } from '../../../src/model/query.ts'
import type { ScatteredCells } from '../../../src/model/scattered-cells.ts'
import type { CellIterator } from '../cells/cell-run.ts'
import { isSameRow, ROW_BYTES_MAX } from '../cells/plain-cells.ts'
import { SeekKey } from '../cells/seek-key.ts'
import type { MergedRowsTarget } from './cell-merge.ts'
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

/** After so many rows of one run, more of them may follow. Where rows alternate, asking would cost more than it gains. */
const ROWS_OF_RUN = 4
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
  /** The run of the last row, and the number of rows since it is that run; the next ones may be its alone. */
  #lastRun: CellIterator | undefined
  #sameRun = 0
  /** Rows to read before a run is asked again for rows of its own, and their number after it had none. */
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
    const added = { cells: target, counts, rowsEnd, bytesEnd: bytes, cellsEnd, stopRow, otherRow: undefined }
    while (counts.length < rowsEnd && target.byteLength < bytes && cells.valid) {
      if (family.cellsSeen >= cellsEnd || blocks.blockBytesRead >= blockBytesEnd) return
      if (this.#mayBeAlone(cells.iterator)) {
        added.cellsEnd = target.count + cellsEnd - family.cellsSeen
        if (this.#addRowsOfRun(added)) {
          const { count } = target
          const cutRow = takeCutRow(target, counts, limits.cutBytes)
          if (cutRow === undefined) continue
          family.cellsSeen -= count - target.count
          this.#goBackTo(cutRow)
          return
        }
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
    if (run !== this.#lastRun) {
      this.#lastRun = run
      this.#sameRun = 0
      return false
    }
    return ++this.#sameRun >= ROWS_OF_RUN && --this.#rowsToWait < 0
  }

  /** Has a run add rows that it has alone; false if there are none. */
  #addRowsOfRun(target: MergedRowsTarget): boolean {
    const family = this.#family
    const { cells } = target
    const { count } = cells
    const hasRows = family.cells.addPlainRows(target)
    this.#wait = hasRows ? 0 : Math.min(2 * this.#wait + 1, WAIT_ROWS_MAX)
    this.#rowsToWait = this.#wait
    family.cellsSeen += cells.count - count
    return hasRows
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
