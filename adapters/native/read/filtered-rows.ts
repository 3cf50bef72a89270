import type { CellBlockBuilder } from '../../../src/model/cell-block.ts'
import type { AsOfTimestamp } from './as-of-matcher.ts'
import type { CellMerge } from './cell-merge.ts'
import { FilteredRow } from './filtered-row.ts'
import type { MatchedRows } from './matched-rows.ts'
import type { RowSource } from './row-source.ts'
import type { ScanFilter } from './scan-filter.ts'
import type { ScannedFamilies } from './scanned-families.ts'

/** Rows that pass a filter: it is asked about each row's key, then about each cell (FilteredMatcher), then about the whole row. */
export class FilteredRows implements RowSource {
  readonly #rows: MatchedRows
  readonly #families: ScannedFamilies
  readonly #filter: ScanFilter
  /** Reads rows that the filter must see whole before a cell is handed out. */
  readonly #wholeRow: FilteredRow | undefined
  readonly #asOf: AsOfTimestamp | undefined
  #isAtRowStart = false
  /** False for a row without cells at the timestamp: the filter is not asked about it. */
  #isThere = false
  /** True if the filter was at its end at some row; the filter may forget that when it is reset. */
  #wasDone = false

  /** `asOf`: the query's timestamp, if it has one. */
  constructor(
    rows: MatchedRows,
    families: ScannedFamilies,
    filter: ScanFilter,
    asOf: AsOfTimestamp | undefined,
  ) {
    this.#rows = rows
    this.#families = families
    this.#filter = filter
    this.#asOf = asOf
    // A filter that sees no whole row but needs not see a family includes no cell of that family.
    if (filter.evaluator.hasFilterRow) this.#wholeRow = new FilteredRow(filter, families)
  }

  startRow(): boolean {
    this.#isAtRowStart = true
    return this.#rows.startRow()
  }

  readResult(target: CellBlockBuilder, length: number): boolean {
    if (this.#isAtRowStart) {
      this.#isAtRowStart = false
      const first = this.#first()
      this.#isThere = first !== undefined
      if (first === undefined) return true
      if (this.#filter.excludesRow(first)) {
        this.#leaveOut(target)
        return true
      }
      if (this.#wholeRow !== undefined) {
        this.#wholeRow.read(target)
        return true
      }
    }
    const start = target.length
    const before = target.count
    if (!this.#rows.readResult(target, length)) return false
    // HBase: RegionScannerImpl.nextInternal asks every filter about the whole row, even one that need not see it.
    if (target.count > before && this.#filter.evaluator.filterRow()) {
      target.length = start
      target.count = before
    }
    return true
  }

  /** A family's merge that stands at a cell of the row; undefined if no family has one. */
  #first(): CellMerge | undefined {
    const asOf = this.#asOf
    if (asOf === undefined) return this.#rows.first
    let first: CellMerge | undefined
    for (const family of this.#families.essential) if (family.startRowAsOf(asOf)) first ??= family.cells
    return first
  }

  #leaveOut(target: CellBlockBuilder): void {
    const families = this.#families.essential
    families[0]!.cellsSeen++
    if (this.#filter.isDone) this.#wasDone = true
    else if (this.#filter.readsExcludedRows) this.#discardRow(target)
  }

  /** Asks the filter about the cells of a row that it has excluded: its hints lead to the next row. */
  #discardRow(target: CellBlockBuilder): void {
    const filter = this.#filter
    filter.discards = true
    for (const family of this.#families.essential) {
      family.readRow(target, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY)
    }
    filter.discards = false
  }

  endRow(): boolean {
    const filter = this.#filter
    if (this.#isThere) filter.evaluator.reset()
    return !filter.isDone && !this.#wasDone
  }
}
