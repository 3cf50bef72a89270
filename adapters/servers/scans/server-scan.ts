/**
 * A scan on a server that may forget its scanners: with a new scanner the scan continues after the last cell that it has. Cells arrive in
 * pieces of any size, of which it makes the results that the caller asks for.
 */

import { compareBytes } from '../../../src/model/bytes.ts'
import { compareCells } from '../../../src/model/cell.ts'
import { type CellBlock, CellBlockBuilder, CellCursor } from '../../../src/model/cell-block.ts'
import { isHBaseError } from '../../../src/model/errors.ts'
import type { Scan } from '../../../src/model/query.ts'
import type { BatchEnd, ScanBatch } from '../../../src/model/results.ts'
import type { Call } from '../../../src/store/call.ts'
import type { ScanLimits } from '../../../src/store/handouts.ts'
import type { OpenSource, ScanSource } from './scan-source.ts'

/** Rows of the first request: most scans are short. */
const FIRST_ROWS = 100
/** The most scanners in a row that the server may forget. */
const OPENINGS_MAX = 10

export class ServerScan {
  readonly #scan: Scan
  readonly #open: OpenSource
  #source: ScanSource | undefined
  #cursor: CellCursor | undefined
  /** True where the cursor stands on a cell that is in no result yet. */
  #isWaiting = false
  #isEnded = false
  /** A copy of the last cell of the pieces before this one; undefined before the first piece has ended. */
  #last: Buffer | undefined
  /** True while a new scanner repeats cells up to `#last`. */
  #skips = false
  /** The row of the last cell in a result. */
  #row: Buffer | undefined
  /** The number of rows in results. */
  #rows = 0
  /** The results of a call that has failed, which the next call continues. */
  #begun: ResultsInProgress | undefined

  constructor(scan: Scan, open: OpenSource) {
    this.#scan = scan
    this.#open = open
  }

  /** Makes the first request, so that an impossible scan fails at once. */
  async begin(call: Call): Promise<void> {
    const { limit } = this.#scan
    this.#isWaiting = await this.#advance(limit > 0 ? Math.min(limit, FIRST_ROWS) : FIRST_ROWS, call)
  }

  /** As Handouts.next. */
  async next(limits: ScanLimits, call: Call): Promise<ScanBatch> {
    const results = this.#begun ?? new ResultsInProgress(this.#scan.batch)
    this.#begun = results
    results.limits = limits
    let ended: BatchEnd | undefined
    while (ended === undefined) {
      if (!this.#isWaiting && !(await this.#advance(results.rowsWanted, call))) {
        ended = 'scan'
        break
      }
      this.#isWaiting = true
      const cursor = this.#cursor!
      const isNewRow = !this.#isInRow(cursor)
      if (isNewRow && this.#rows === this.#scan.limit) {
        ended = 'scan'
        break
      }
      if (!results.takes(isNewRow)) break
      if (isNewRow) {
        this.#row = rowOf(cursor)
        this.#rows++
      }
      results.add(cursor, isNewRow)
      this.#isWaiting = false
    }
    this.#begun = undefined
    if (ended === 'scan') await this.close()
    return results.batch(ended ?? 'batch', this.#row)
  }

  async close(): Promise<void> {
    this.#isEnded = true
    this.#isWaiting = false
    const source = this.#source
    this.#source = undefined
    await source?.close()
  }

  /** Moves to the next cell of the scan; false where there is none. */
  async #advance(rows: number, call: Call): Promise<boolean> {
    for (;;) {
      if (this.#isEnded) return false
      const cursor = this.#cursor
      if (cursor === undefined || !cursor.next()) {
        const cells = await this.#fetch(rows, call)
        if (cells === undefined) return this.#end()
        this.#cursor = new CellCursor(cells)
        continue
      }
      if (this.#skips && this.#isBehind(cursor)) continue
      this.#skips = false
      if (this.#isInRow(cursor)) return true
      const place = this.#placeOf(cursor)
      if (place === 'within') return true
      if (place === 'after') return this.#end()
    }
  }

  #end(): false {
    this.#isEnded = true
    return false
  }

  async #fetch(rows: number, call: Call): Promise<CellBlock | undefined> {
    if (this.#cursor !== undefined) {
      // A piece of repeated cells ends before `#last`.
      if (!this.#skips) this.#last = lastCellOf(this.#cursor) ?? this.#last
      this.#cursor = undefined
    }
    for (let openings = 1; ; openings++) {
      this.#source ??= await this.#open(this.#scanFrom(), call)
      try {
        return await this.#source.fetch(rows, call)
      } catch (error) {
        if (!isHBaseError(error) || error.code !== 'UNKNOWN_SCANNER') throw error
        if (openings === OPENINGS_MAX) throw isHBaseError(error.cause) ? error.cause : error
        // Where only an answer was lost, the server may still have the scanner.
        void this.#source?.close().catch(() => undefined)
        this.#source = undefined
        this.#skips = this.#last !== undefined
      }
    }
  }

  /** The rest of the scan, from the row of the last cell on. */
  #scanFrom(): Scan {
    const last = this.#last
    if (last === undefined) return this.#scan
    const startRow = last.subarray(10, 10 + last.readUInt16BE(8))
    return { ...this.#scan, startRow, includeStartRow: true }
  }

  /** True where the scan had the cell before its new scanner. */
  #isBehind({ buffer, cell, rowOffset, rowLength }: CellCursor): boolean {
    const last = this.#last!
    const row = last.subarray(10, 10 + last.readUInt16BE(8))
    if (!row.equals(buffer.subarray(rowOffset, rowOffset + rowLength))) return false
    return compareCells(buffer, cell, last, 0) <= 0
  }

  #isInRow({ buffer, rowOffset, rowLength }: CellCursor): boolean {
    const row = this.#row
    return (
      row !== undefined &&
      row.length === rowLength &&
      row.compare(buffer, rowOffset, rowOffset + rowLength) === 0
    )
  }

  #placeOf({ buffer, rowOffset, rowLength }: CellCursor): 'before' | 'within' | 'after' {
    const { startRow, includeStartRow, stopRow, includeStopRow, reversed } = this.#scan
    const row = buffer.subarray(rowOffset, rowOffset + rowLength)
    const sign = reversed ? -1 : 1
    const fromStart = startRow.length === 0 ? 1 : compareBytes(row, startRow) * sign
    if (fromStart < 0 || (fromStart === 0 && !includeStartRow)) return 'before'
    const fromStop = stopRow.length === 0 ? -1 : compareBytes(row, stopRow) * sign
    return fromStop > 0 || (fromStop === 0 && !includeStopRow) ? 'after' : 'within'
  }
}

/** The results of one batch, as cells are added. */
class ResultsInProgress {
  limits: ScanLimits = { rows: 1, bytes: 1, allowPartial: false }
  readonly #batch: number
  readonly #cells = new CellBlockBuilder()
  readonly #counts: number[] = []
  readonly #partial: boolean[] = []
  /** The number of cells of the last result, which may get more. */
  #count = 0
  #rows = 0
  /** Whether the row of the last result continues; undefined: not known yet. */
  #goesOn: boolean | undefined

  constructor(batch: number) {
    this.#batch = batch
  }

  get rowsWanted(): number {
    return Math.max(1, this.limits.rows - this.#rows)
  }

  /** True where there is room for the next cell. A row may exceed the bytes where the caller takes no parts. */
  takes(isNewRow: boolean): boolean {
    const { rows, bytes, allowPartial } = this.limits
    const isFull = this.#cells.length >= Math.max(1, bytes)
    if (isNewRow || this.#isBatchFull) {
      const results = this.#counts.length + (this.#count > 0 ? 1 : 0)
      const isTaken = results === 0 || (results < rows && !isFull)
      if (!isTaken) this.#goesOn = !isNewRow
      return isTaken
    }
    if (!allowPartial || !isFull || this.#count === 0) return true
    this.#end(true)
    return false
  }

  get #isBatchFull(): boolean {
    return this.#batch > 0 && this.#count === this.#batch
  }

  add({ buffer, cell, cellLength }: CellCursor, isNewRow: boolean): void {
    if (this.#count > 0 && (isNewRow || this.#isBatchFull)) this.#end(!isNewRow)
    if (isNewRow || this.#rows === 0) this.#rows++
    this.#cells.appendCell(buffer, cell, cellLength)
    this.#count++
  }

  #end(isPartial: boolean): void {
    this.#counts.push(this.#count)
    this.#partial.push(isPartial)
    this.#count = 0
  }

  /** The batch. `row`: that of the last cell. */
  batch(ended: BatchEnd, row: Buffer | undefined): ScanBatch {
    // After a full batch of cells, more cells of its row may follow.
    if (this.#count > 0) this.#end(this.#goesOn ?? (ended !== 'scan' && this.#isBatchFull))
    return {
      results: { cells: this.#cells.block(), counts: this.#counts },
      ended,
      partial: this.#partial.includes(true) ? this.#partial : undefined,
      cellsSeen: this.#cells.count,
      rowsSeen: undefined,
      position: row,
    }
  }
}

function rowOf({ buffer, rowOffset, rowLength }: CellCursor): Buffer {
  return Buffer.from(buffer.subarray(rowOffset, rowOffset + rowLength))
}

/** A copy of the last cell of a piece that was read to its end. */
function lastCellOf({ buffer, cell, cellLength }: CellCursor): Buffer | undefined {
  return cellLength === 0 ? undefined : Buffer.from(buffer.subarray(cell, cell + cellLength))
}
