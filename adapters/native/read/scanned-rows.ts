import type { Scan } from '../../../src/model/query.ts'
import { PLACE_INTS, type ScatteredCells } from '../../../src/model/scattered-cells.ts'
import { createPlainRows } from './create-plain-rows.ts'
import type { FamilyRead } from './family-reads.ts'
import { type PlainLimits, type PlainReader, readsPlainRows } from './plain-rows.ts'
import type { RowSource } from './row-source.ts'
import type { ScannedFamilies } from './scanned-families.ts'

/** The rows of one region, each read by the source or by the plain reader, and counted up to the scan's limit. */
export class ScannedRows {
  readonly source: RowSource
  readonly #families: ScannedFamilies
  /** Reads rows of puts faster than the source; between rows both stand at the same place. */
  readonly #plain: PlainReader | undefined
  /** Of rows; not positive: there is none. */
  readonly #limit: number
  isWithinRow = false
  /** Number of cells of the present row that were handed out. */
  #rowCells = 0
  /** Number of rows that have ended after cells of them were handed out. */
  count = 0
  /** Number of rows read so far, returned or not. */
  seen = 0
  /** There are no more rows. */
  finished = false

  constructor(families: ScannedFamilies, source: RowSource, reads: readonly FamilyRead[], scan: Scan) {
    this.#families = families
    this.source = source
    this.#limit = scan.limit
    if (readsPlainRows(reads, scan)) this.#plain = createPlainRows(families, scan)
  }

  /** Whether `readPlain` is worth a try, where a row begins. */
  get mayBePlain(): boolean {
    return this.#plain?.helps === true
  }

  /** As PlainReader.read. */
  readPlain(target: ScatteredCells, counts: number[], limits: PlainLimits): void {
    const before = counts.length
    const limit = this.#limit
    const rows = limit > 0 ? Math.min(limits.rows, limit - this.count) : limits.rows
    this.#plain?.read(target, counts, rows === limits.rows ? limits : { ...limits, rows })
    const added = counts.length - before
    if (added === 0) return
    this.count += added
    this.seen += added
    this.#standAtLast(target)
    if (limit > 0 && this.count >= limit) this.finished = true
  }

  /** Notes the row of the last cell added. */
  #standAtLast({ entries, memories, count }: ScatteredCells): void {
    const last = (count - 1) * PLACE_INTS
    this.#families.row.setToRowOf(memories[entries[last]!]!.buffer, entries[last + 1]!)
  }

  /** Has the source begin a row; false at the end of the scan. */
  start(): boolean {
    if (!this.source.startRow()) {
      this.finished = true
      return false
    }
    this.isWithinRow = true
    this.seen++
    this.#rowCells = 0
    return true
  }

  /** Counts cells that the source has given of the row, which has `ended` or goes on. */
  handOut(cells: number, ended: boolean): void {
    this.#rowCells += cells
    if (!ended) return
    this.isWithinRow = false
    if (this.#rowCells > 0) this.count++
    if (!this.source.endRow() || (this.#limit > 0 && this.count >= this.#limit)) this.finished = true
  }
}
