import { compareRange } from '../../../src/model/bytes.ts'
import { CellType, KEY_FIXED_BYTES } from '../../../src/model/cell.ts'
import { CELL_PREFIX_BYTES } from '../../../src/model/cell-block.ts'
import type { Scan } from '../../../src/model/query.ts'
import { PLACE_INTS, type ScatteredCells } from '../../../src/model/scattered-cells.ts'
import type { CellIterator } from '../cells/cell-run.ts'
import { NO_CELLS } from '../cells/no-cells.ts'
import { isSameRow, ROW_BYTES_MAX } from '../cells/plain-cells.ts'
import { SeekKey } from '../cells/seek-key.ts'
import { type FamilyRead, timesRead } from './family-reads.ts'
import type { BlocksRead } from './family-runs.ts'
import type { FamilyScanner } from './family-scanner.ts'
import { PlainTags } from './plain-tags.ts'

/** True if the query takes rows of puts as they are, except for older versions of their columns. */
export function readsPlainRows(reads: readonly FamilyRead[], scan: Scan): boolean {
  const [read] = reads
  if (read === undefined || reads.length > 1 || read.qualifiers !== undefined) return false
  const { rules } = read.family
  return (
    Math.min(scan.maxVersions, rules.maxVersions) === 1 &&
    !rules.newVersionBehavior &&
    rules.timeToLiveMs === Number.POSITIVE_INFINITY &&
    timesRead(scan, rules).isAllTime &&
    scan.asOf === undefined &&
    scan.visibility?.kind !== 'same' &&
    scan.familyLimit < 0 &&
    scan.familyOffset === 0 &&
    scan.batch <= 0 &&
    scan.filter === undefined &&
    !scan.reversed &&
    !scan.raw
  )
}

/** Limits of a read of plain rows, which ends at a row's end. */
export interface PlainLimits {
  readonly rows: number
  /** The family's count of read cells at which the read ends. */
  readonly cellsEnd: number
  /** Bytes of the cells in a block. */
  readonly bytes: number
  /** Such bytes at which a result ends within its row: that row is left to the RowSource. */
  readonly cutBytes: number
  /** Bytes of blocks read at which the read ends. */
  readonly blockBytesEnd: number
  readonly blocks: BlocksRead
}

/** Reads rows of puts faster than a scan's RowSource. */
export interface PlainReader {
  /** False once trying is not worth while. */
  readonly helps: boolean
  /**
   * Adds the places of the cells, and each row's number of cells, up to the limits, the end of the runs, or a row that is not
   * plain. The family's merge must stand at the first cell of a row, and stands at one afterwards.
   */
  read(target: ScatteredCells, counts: number[], limits: PlainLimits): void
}

/** A row of more cells is read in several turns of the event loop, which a plain reader cannot. */
export const PLAIN_CELLS_MAX = 16_384

/** After so many rows that are not plain, a plain reader helps no more. */
export const OTHER_ROWS_MAX = 8

/**
 * The short way through rows of puts: one run, whole rows, every column, its newest version. Most scans read such rows,
 * and asking the matchers and trackers would double the cost of a row. The scan's RowSource reads rows that are not plain
 * (with a tombstone, tags that PlainTags does not allow, or very many cells) and the stop row.
 */
export class PlainRows implements PlainReader {
  readonly #family: FamilyScanner
  /** The merge's, during a read. */
  #iterator: CellIterator = NO_CELLS
  /** EMPTY: the scan goes to the end. */
  readonly #stopRow: Buffer
  readonly #key = new SeekKey()
  readonly #tags = new PlainTags()
  #cellsSeen = 0
  #otherRows = 0

  /** The family's merge is of one run. */
  constructor(family: FamilyScanner, scan: Scan) {
    this.#family = family
    this.#stopRow = scan.stopRow
    this.#tags.begin(scan)
  }

  get helps(): boolean {
    return this.#otherRows < OTHER_ROWS_MAX
  }

  read(target: ScatteredCells, counts: number[], limits: PlainLimits): void {
    const family = this.#family
    const { cells } = family
    this.#iterator = cells.iterator
    const seenBefore = this.#cellsSeen
    const otherRow = this.#readRows(target, counts, limits, seenBefore + limits.cellsEnd - family.cellsSeen)
    this.#iterator = NO_CELLS
    family.cellsSeen += this.#cellsSeen - seenBefore
    cells.resume()
    if (otherRow === undefined) return
    this.#key.firstOfRow(otherRow)
    cells.seek(this.#key.buffer, 0)
  }

  /** Returns the row that is left to the RowSource, none of whose cells is added; the iterator is then somewhere in it. */
  #readRows(
    target: ScatteredCells,
    counts: number[],
    limits: PlainLimits,
    cellsEnd: number,
  ): Buffer | undefined {
    const { rows, bytes, cutBytes, blocks, blockBytesEnd } = limits
    const iterator = this.#iterator
    const stopRow = this.#stopRow
    const rowsEnd = counts.length + rows
    while (counts.length < rowsEnd && target.byteLength < bytes && iterator.valid) {
      if (this.#cellsSeen >= cellsEnd || blocks.blockBytesRead >= blockBytesEnd) return undefined
      const rowsBefore = counts.length
      const seenBefore = this.#cellsSeen
      this.#addPlainRows(target, counts, rowsEnd, bytes, cellsEnd)
      if (counts.length > rowsBefore) {
        const { count } = target
        const cutRow = takeCutRow(target, counts, cutBytes)
        if (cutRow === undefined) continue
        this.#cellsSeen -= count - target.count
        return cutRow
      }
      const { buffer, cell } = iterator
      const rowBytes = iterator.memory.view.getUint16(cell + 8)
      if (stopRow.length > 0 && compareRange(buffer, cell + 10, rowBytes, stopRow, 0, stopRow.length) >= 0) {
        return undefined
      }
      const before = target.count
      const isPlain = this.#readRow(target, rowBytes, cutBytes)
      if (!isPlain || isCut(target, before, cutBytes)) {
        target.rewind(before)
        // The RowSource counts the cells of a cut row; counted twice, they could end each slice before its first result.
        if (isPlain) this.#cellsSeen = seenBefore
        else this.#otherRows++
        return Buffer.from(buffer.subarray(cell + 10, cell + 10 + rowBytes))
      }
      counts.push(target.count - before)
    }
    return undefined
  }

  /** Has the run add rows by itself. */
  #addPlainRows(
    cells: ScatteredCells,
    counts: number[],
    rowsEnd: number,
    bytesEnd: number,
    cellsEnd: number,
  ): void {
    const { count } = cells
    this.#iterator.addPlainRows?.({
      cells,
      counts,
      rowsEnd,
      bytesEnd,
      cellsEnd: count + cellsEnd - this.#cellsSeen,
      stopRow: this.#stopRow,
      otherRow: undefined,
    })
    this.#cellsSeen += cells.count - count
  }

  /** False if the row is not plain: the iterator is then somewhere in it, as it is behind the cell that a cut row ends before. */
  #readRow(target: ScatteredCells, rowBytes: number, cutBytes: number): boolean {
    const iterator = this.#iterator
    const first = target.count
    let isNewColumn = true
    const cellsEnd = this.#cellsSeen + PLAIN_CELLS_MAX
    const bytesEnd = target.cellBytes + ROW_BYTES_MAX
    for (;;) {
      const { memory, cell } = iterator
      this.#cellsSeen++
      if (this.#cellsSeen > cellsEnd || target.cellBytes > bytesEnd) return false
      const type = memory.view.getUint8(cell + memory.view.getInt32(cell) + 7)
      if (type !== CellType.Put) return false
      if (iterator.tagsBytes > 0 && !this.#tags.allows(iterator)) return false
      if (isNewColumn) {
        target.add(memory, cell, iterator.cellBytes)
        if (isCut(target, first, cutBytes)) return true
      }
      const isEmpty = hasEmptyQualifier(memory.view, cell, rowBytes)
      if (isEmpty) iterator.next()
      else iterator.leaveColumn()
      if (!iterator.valid) return true
      const next = iterator.memory.view
      if (!isSameRow(memory.view, cell, next, iterator.cell, rowBytes)) return true
      isNewColumn = !isEmpty || !hasEmptyQualifier(next, iterator.cell, rowBytes)
    }
  }
}

/** True if the row, whose cells are those from `first` on, does not fit into one result. */
export function isCut(cells: ScatteredCells, first: number, cutBytes: number): boolean {
  const { count, byteLength } = cells
  if (byteLength < cutBytes || count - first < 2) return false
  const last = CELL_PREFIX_BYTES + cells.entries[(count - 1) * PLACE_INTS + 2]!
  return byteLength - last >= cutBytes
}

/** Takes the last row away where it does not fit into one result, and returns a copy of its key. */
export function takeCutRow(cells: ScatteredCells, counts: number[], cutBytes: number): Buffer | undefined {
  if (cells.byteLength < cutBytes) return undefined
  const first = cells.count - counts.at(-1)!
  if (!isCut(cells, first, cutBytes)) return undefined
  counts.pop()
  cells.rewind(first)
  const { entries, memories } = cells
  const { buffer, view } = memories[entries[first * PLACE_INTS]!]!
  const row = entries[first * PLACE_INTS + 1]! + 10
  return Buffer.from(buffer.subarray(row, row + view.getUint16(row - 2)))
}

/** Family tombstones stand among the versions of this column, so all of them must be looked at. */
export function hasEmptyQualifier(view: DataView, cell: number, rowBytes: number): boolean {
  return view.getInt32(cell) === KEY_FIXED_BYTES + rowBytes + view.getUint8(cell + 10 + rowBytes)
}
