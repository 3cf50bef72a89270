import { compareBytes, EMPTY } from '../../src/model/bytes.ts'
import { CellBlockBuilder } from '../../src/model/cell-block.ts'
import { HBaseError } from '../../src/model/errors.ts'
import type { Scan } from '../../src/model/query.ts'
import type { ScanBatch } from '../../src/model/results.ts'
import type { ScanLimits, Scanner } from '../../src/store.ts'
import { FilteredRows } from './filtered-rows.ts'
import type { MemoryRow, MemoryTable } from './memory-table.ts'
import type { StoredCell } from './stored-cell.ts'
import { type ReadColumns, visibleCells } from './visible-cells.ts'

/** Reads the rows that the table had when the scanner was opened, by the rules that it had then. */
export class MemoryScanner implements Scanner {
  readonly #checkTable: () => void
  readonly #scan: Scan
  readonly #columns: readonly ReadColumns[]
  readonly #now: bigint
  readonly #random: () => number
  readonly #splitKeys: readonly Buffer[]
  /** The filter at work on the region of the row that was read last. */
  #filtered: FilteredRows | undefined
  #region: number | undefined
  /** Rows that are still to be read, in the scan's order. */
  #rows: MemoryRow[]
  /** Cells of the present row that were not handed out yet. */
  #cells: StoredCell[] = []
  #rowsEnded = 0
  #finished = false

  /**
   * `checkTable` throws where the table cannot be read any more. Throws NO_SUCH_COLUMN_FAMILY, DO_NOT_RETRY for a raw
   * scan that names columns, and as FilteredRows.
   */
  constructor(table: MemoryTable, checkTable: () => void, scan: Scan, now: bigint) {
    if (scan.raw && scan.columns.some(({ qualifiers }) => (qualifiers?.length ?? 0) > 0)) {
      throw new HBaseError('DO_NOT_RETRY', 'Cannot specify any column for a raw scan')
    }
    this.#columns = table.columnsOf(scan, EMPTY)
    this.#checkTable = checkTable
    this.#scan = scan
    this.#now = now
    this.#random = table.random
    this.#splitKeys = table.splitKeys
    this.#startRegion(undefined)
    this.#rows = table.snapshot().filter((row) => isWithin(row.key, scan))
    if (scan.reversed) this.#rows.reverse()
  }

  async next(limits: ScanLimits): Promise<ScanBatch> {
    this.#checkTable()
    const bytesMax = Math.max(1, limits.bytes)
    const mayCutRows = limits.allowPartial && this.#filtered?.needsWholeRows !== true
    const partBytesMax = mayCutRows ? bytesMax : Number.POSITIVE_INFINITY
    const { batch } = this.#scan
    const partCells = batch > 0 ? batch : Number.POSITIVE_INFINITY
    const block = new CellBlockBuilder()
    const counts: number[] = []
    let partial = false
    while (counts.length < limits.rows && block.length < bytesMax && this.#findCells()) {
      let count = 0
      while (this.#cells.length > 0 && count < partCells && block.length < partBytesMax) {
        block.appendParts(this.#cells.shift()!)
        count++
      }
      counts.push(count)
      partial = this.#cells.length > 0 && count < partCells
      if (this.#cells.length === 0) this.#endRow()
    }
    return { results: { cells: block.block(), counts }, more: !this.#finished, partial }
  }

  async close(): Promise<void> {
    this.#finished = true
  }

  /** False at the scan's end; else there is at least one cell of the present row. */
  #findCells(): boolean {
    while (!this.#finished && this.#cells.length === 0) {
      const row = this.#rows.shift()
      if (row === undefined) this.#finished = true
      else this.#cells = this.#read(row)
    }
    return !this.#finished
  }

  #read(row: MemoryRow): StoredCell[] {
    if (this.#filtered === undefined) {
      return visibleCells(row.cells, this.#columns, this.#scan, this.#now, this.#scan.raw)
    }
    const region = this.#splitKeys.filter((key) => compareBytes(key, row.key) <= 0).length
    if (region !== this.#region) {
      // A filter that is at its end and has let nothing through ends the scan, and not just that of the region.
      if (this.#filtered.isOver && this.#filtered.passed === 0) this.#finished = true
      this.#startRegion(region)
    }
    return this.#finished ? [] : this.#filtered.read(row)
  }

  #startRegion(region: number | undefined): void {
    this.#region = region
    const { filter, raw, reversed, batch } = this.#scan
    if (filter === undefined) return
    const reading = { raw, reversed, batch, now: this.#now, random: this.#random }
    this.#filtered = new FilteredRows(filter, this.#columns, this.#scan, reading)
  }

  #endRow(): void {
    this.#rowsEnded++
    if (this.#rowsEnded === this.#scan.limit) this.#finished = true
  }
}

function isWithin(key: Buffer, scan: Scan): boolean {
  const { startRow, includeStartRow, stopRow, includeStopRow, reversed } = scan
  const fromStart = compareBytes(key, startRow) * (reversed ? -1 : 1)
  const fromStop = compareBytes(key, stopRow) * (reversed ? -1 : 1)
  return (
    (startRow.length === 0 || fromStart > 0 || (fromStart === 0 && includeStartRow)) &&
    (stopRow.length === 0 || fromStop < 0 || (fromStop === 0 && includeStopRow))
  )
}
