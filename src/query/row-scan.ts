import type { FilterEvaluator } from '../filter/evaluate/filter-evaluator.ts'
import { compareBytes } from '../model/bytes.ts'
import { CellBlockBuilder } from '../model/cell-block.ts'
import type { Scan } from '../model/query.ts'
import type { BatchEnd, ScanBatch } from '../model/results.ts'
import type { ReadColumns } from './read-columns.ts'
import { type ReadConditions, RegionRead } from './region-read.ts'
import type { StoredCell, StoredRow } from './stored-cell.ts'

/** The limits of a batch, as ScanLimits of the seam. */
export interface BatchLimits {
  readonly rows: number
  readonly bytes: number
  readonly allowPartial: boolean
  readonly cellBytes?: number | undefined
}

/** The rows that a scan reads, and the table that they belong to. */
export interface ScannedRows {
  /** In the order of the scan, and only the rows in its range: see rowsOfScan. */
  readonly rows: Iterator<StoredRow> | AsyncIterator<StoredRow>
  /** The start keys of the table's regions, in any order. */
  readonly startKeys: readonly Buffer[]
  /** See readColumns. */
  readonly columns: readonly ReadColumns[]
}

/** The results of a batch while it grows. */
class Batch {
  readonly block = new CellBlockBuilder()
  readonly counts: number[] = []
  readonly partial: boolean[] = []
  cellsSeen = 0
  rowsSeen = 0

  ended(ended: BatchEnd, position: Buffer | undefined): ScanBatch {
    const { counts, partial, cellsSeen, rowsSeen } = this
    const results = { cells: this.block.block(), counts }
    const parts = partial.includes(true) ? partial : undefined
    return { results, ended, partial: parts, cellsSeen, rowsSeen, position }
  }
}

/** Scans rows of cells in memory: applies limits, batches, parts of rows, and goes from region to region. */
export class RowScan {
  readonly #scan: Scan
  readonly #scanned: ScannedRows
  readonly #conditions: ReadConditions
  /** The read of the region of the last row. */
  #read: RegionRead
  #region: number | undefined
  /** The first row of the next region, read ahead. */
  #ahead: StoredRow | undefined
  #position: Buffer | undefined
  /** The cells of the present row that are not returned yet. */
  #cells: StoredCell[] = []
  #rowsEnded = 0
  #isFinished = false

  /** `filter`: the evaluator of the scan's filter for the first region. Throws as RegionRead. */
  constructor(scan: Scan, scanned: ScannedRows, conditions: ReadConditions, filter?: FilterEvaluator) {
    this.#scan = scan
    this.#scanned = scanned
    this.#conditions = conditions
    this.#read = new RegionRead(scan, scanned.columns, conditions, filter)
  }

  /**
   * The next results. Calls `goesOn` before each row but the first: false ends the batch. Throws the errors of `goesOn` and of
   * the rows.
   */
  async next(limits: BatchLimits, goesOn: () => boolean | Promise<boolean> = () => true): Promise<ScanBatch> {
    const batch = new Batch()
    const bytesMax = Math.max(1, limits.bytes)
    const { cellBytes = 0 } = limits
    while (!this.#isFinished) {
      if (batch.counts.length >= limits.rows || bytesOf(batch.block, cellBytes) >= bytesMax) {
        return batch.ended('batch', this.#position)
      }
      if (this.#cells.length > 0) {
        this.#handOut(batch, limits.allowPartial ? bytesMax : Number.POSITIVE_INFINITY, cellBytes)
        continue
      }
      if (batch.rowsSeen > 0 && !(await goesOn())) return batch.ended('batch', this.#position)
      const row = await this.#nextRow()
      if (row === undefined) break
      if (this.#entersRegion(row)) return batch.ended('region', this.#position)
      this.#look(row, batch)
      batch.rowsSeen++
    }
    this.#isFinished = true
    const isTableDone = batch.counts.length === 0 && this.#read.endsScan
    return { ...batch.ended('scan', this.#position), ...(isTableDone && { isTableDone }) }
  }

  async #nextRow(): Promise<StoredRow | undefined> {
    const { rows } = this.#scanned
    if (this.#ahead === undefined) {
      const { done, value } = await rows.next()
      return done === true ? undefined : value
    }
    const row = this.#ahead
    this.#ahead = undefined
    return row
  }

  /** True if the row is the first of another region: the next batch begins with it. */
  #entersRegion(row: StoredRow): boolean {
    const region = this.#scanned.startKeys.filter((key) => compareBytes(key, row.key) <= 0).length
    const isAnother = this.#region !== undefined && this.#region !== region
    this.#region = region
    if (!isAnother) return false
    if (this.#read.endsScan) {
      this.#isFinished = true
      return false
    }
    this.#read = new RegionRead(this.#scan, this.#scanned.columns, this.#conditions)
    this.#ahead = row
    return true
  }

  #look(row: StoredRow, batch: Batch): void {
    if (this.#isFinished) return
    this.#position = row.key
    batch.cellsSeen += row.cells.length
    this.#cells = this.#read.read(row)
  }

  /** Adds one result: the present row or, where it is long, a part of it. */
  #handOut({ block, counts, partial }: Batch, bytesMax: number, cellBytes: number): void {
    const partBytesMax = this.#read.needsWholeRows ? Number.POSITIVE_INFINITY : bytesMax
    const partCells = this.#scan.batch > 0 ? this.#scan.batch : Number.POSITIVE_INFINITY
    let count = 0
    while (this.#cells.length > 0 && count < partCells && bytesOf(block, cellBytes) < partBytesMax) {
      block.appendParts(this.#cells.shift()!)
      count++
    }
    counts.push(count)
    partial.push(this.#cells.length > 0)
    if (this.#cells.length > 0) return
    this.#rowsEnded++
    if (this.#rowsEnded === this.#scan.limit) this.#isFinished = true
  }
}

function bytesOf({ length, count }: CellBlockBuilder, cellBytes: number): number {
  return length + count * cellBytes
}
