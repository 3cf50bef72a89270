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
  /** At which of its steps the present row is, and where its present result begins in the target. */
  #stage: 'begin' | 'key' | 'discard' | 'whole' | 'cells' = 'begin'
  #first: CellMerge | undefined
  /** The family whose cells are discarded. */
  #family = 0
  #start = 0
  #before = 0
  /** False for a row without cells at the timestamp: the filter is not asked about it. */
  #isThere = false
  /** True if the filter was at its end at some row; the filter may forget that when it is reset. */
  #wasDone = false
  /** Number of rows at whose key the filter ended the scan. */
  rowsUnread = 0

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
    this.#stage = 'begin'
    return this.#rows.startRow()
  }

  /** Called before the first `readResult` of each result. */
  beginResult({ length, count }: CellBlockBuilder): void {
    this.#start = length
    this.#before = count
  }

  readResult(target: CellBlockBuilder, length: number): boolean {
    if (this.#stage === 'begin') {
      this.#first = this.#firstMerge()
      this.#isThere = this.#first !== undefined
      this.#stage = 'key'
    }
    if (this.#stage === 'key') {
      const first = this.#first && this.#atRow(this.#first)
      if (first === undefined) {
        this.#filter.abandonRow()
        return true
      }
      if (this.#filter.excludesRow(first)) this.#leaveOut()
      else this.#stage = this.#wholeRow === undefined ? 'cells' : 'whole'
    }
    switch (this.#stage) {
      case 'key':
        return true
      case 'discard':
        this.#discardRow(target)
        return true
      case 'whole':
        this.#wholeRow!.read(target)
        return true
      case 'cells':
        return this.#readCells(target, length)
    }
  }

  #readCells(target: CellBlockBuilder, length: number): boolean {
    if (!this.#rows.readResult(target, length)) return false
    // HBase: RegionScannerImpl.nextInternal asks every filter about the whole row, even one that need not see it.
    if (target.count > this.#before && this.#filter.evaluator.filterRow()) {
      target.length = this.#start
      target.count = this.#before
    }
    return true
  }

  /** A family's merge that stands at a cell of the row; undefined if no family has one. */
  #firstMerge(): CellMerge | undefined {
    const asOf = this.#asOf
    if (asOf === undefined) return this.#rows.first
    let first: CellMerge | undefined
    for (const family of this.#families.essential) if (family.startRowAsOf(asOf)) first ??= family.cells
    return first
  }

  /** The merge, or another one that still stands at the row: in a pause a flush may have dropped an expired cell. */
  #atRow(first: CellMerge): CellMerge | undefined {
    const { row, essential } = this.#families
    if (first.valid && row.isRowOf(first.buffer, first.cell)) return first
    return essential.find(({ cells }) => cells.valid && row.isRowOf(cells.buffer, cells.cell))?.cells
  }

  #leaveOut(): void {
    this.#families.essential[0]!.cellsSeen++
    if (this.#filter.isDone) {
      this.#wasDone = true
      this.rowsUnread++
    } else if (this.#filter.readsExcludedRows) {
      this.#family = 0
      this.#stage = 'discard'
    }
  }

  /** Asks the filter about the cells of a row that it has excluded: its hints lead to the next row. */
  #discardRow(target: CellBlockBuilder): void {
    const filter = this.#filter
    filter.discards = true
    const { essential } = this.#families
    for (; this.#family < essential.length; this.#family++) {
      essential[this.#family]!.readRow(target, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY)
    }
    filter.discards = false
  }

  endRow(): boolean {
    const filter = this.#filter
    if (this.#isThere) filter.evaluator.reset()
    return !filter.isDone && !this.#wasDone
  }
}
