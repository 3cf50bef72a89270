import type { FilterEvaluator } from '../filter/evaluate/filter-evaluator.ts'
import { cellBytes } from '../model/cell.ts'
import { blockOf, CELL_PREFIX_BYTES, TAGS_LENGTH_BYTES } from '../model/cell-block.ts'
import { maxVersionsOf } from '../model/descriptor.ts'
import { HBaseError } from '../model/errors.ts'
import type { Query } from '../model/query.ts'
import { FilterSieve } from './filter-sieve.ts'
import type { ReadColumns } from './read-columns.ts'
import { compareWithinRow, type StoredCell, type StoredRow } from './stored-cell.ts'
import { visibleCells } from './visible-cells.ts'

/** The parameters of a read of rows, apart from the query. */
export interface RowReading {
  readonly raw: boolean
  readonly reversed: boolean
  /** The most cells of one result; -1: whole rows. */
  readonly batch: number
  /** See Scan.familiesOnDemand. */
  readonly familiesOnDemand: boolean
  readonly now: bigint
  /** Numbers from 0 up to 1, by which a RandomRowFilter decides. */
  readonly random: () => number
}

/** A family that the query reads, with the filter's state there. */
interface SievedFamily {
  readonly columns: ReadColumns
  readonly sieve: FilterSieve
}

/**
 * Reads the rows of one region through a filter, in the order of the scan. HBase: RegionScannerImpl.nextInternal.
 */
export class FilteredRows {
  /** The number of rows that passed. */
  passed = 0
  /** True once no later row or cell can pass. */
  isOver = false
  readonly #filter: FilterEvaluator
  readonly #query: Query
  readonly #reading: RowReading
  /** The families by which the filter decides on a row. The others are read only for rows that pass. */
  readonly #essential: readonly SievedFamily[]
  readonly #others: readonly SievedFamily[]

  /** `filter` must be for the scan's direction. Throws DO_NOT_RETRY, as HBase does, for a reversed scan with families on demand. */
  constructor(filter: FilterEvaluator, columns: readonly ReadColumns[], query: Query, reading: RowReading) {
    const { raw, reversed } = reading
    this.#filter = filter
    this.#query = query
    this.#reading = reading
    const limit = query.familyLimit < 0 ? Number.POSITIVE_INFINITY : query.familyLimit
    const families = columns.map((read) => {
      const maxVersions = raw ? query.maxVersions : Math.min(query.maxVersions, maxVersionsOf(read.family))
      const sieve = new FilterSieve(this.#filter, reversed, maxVersions, query.familyOffset + limit)
      return { columns: read, sieve }
    })
    this.#essential = families.filter((family) => this.#isEssential(family))
    this.#others = families.filter((family) => !this.#isEssential(family))
    if (reversed && this.#others.length > 0) {
      throw new HBaseError('DO_NOT_RETRY', 'Reverse scan with loading CFs on demand is not supported')
    }
  }

  #isEssential({ columns }: SievedFamily): boolean {
    return !this.#reading.familiesOnDemand || this.#filter.isFamilyEssential(columns.family.name)
  }

  /** True where the filter must see a whole row before the scan returns any of it. */
  get needsWholeRows(): boolean {
    return this.#filter.hasFilterRow
  }

  /** The cells of the row that pass; none if the filter excludes the row. */
  read(row: StoredRow): StoredCell[] {
    const first = this.#firstCell(row)
    if (this.isOver || first === undefined) return []
    const cells = this.#isExcludedByKey(row, first) ? [] : this.#passing(row)
    this.#filter.reset()
    if (this.#filter.filterAllRemaining()) this.isOver = true
    if (cells.length > 0) this.passed++
    return cells
  }

  /** True where the filter excludes the row by its key, or has ended. */
  #isExcludedByKey(row: StoredRow, first: StoredCell): boolean {
    const filter = this.#filter
    if (!filter.filterAllRemaining() && !filter.filterRowKey(blockOf([first]).buffer, CELL_PREFIX_BYTES)) {
      return false
    }
    if (filter.filterAllRemaining()) this.isOver = true
    // HBase: RegionScannerImpl.nextRow asks the filter about the cells of a row that it skips, but follows only hints then.
    else if (!this.#reading.reversed) this.#cellsOf(this.#essential, row)
    return true
  }

  #passing(row: StoredRow): StoredCell[] {
    const cells = this.#cellsOf(this.#essential, row)
    const kept = cells.length === 0 ? undefined : this.#keptOf(cells)
    if (kept === undefined) return []
    return kept.concat(this.#cellsOf(this.#others, row)).sort(compareWithinRow)
  }

  /** The row's first cell in the families that the filter reaches, visible or not. */
  #firstCell(row: StoredRow): StoredCell | undefined {
    const reached = this.#essential.filter(({ columns, sieve }) => sieve.reaches(ofFamily(row, columns)))
    return row.cells.find((cell) => reached.some(({ columns }) => columns.family.name.equals(cell.family)))
  }

  #cellsOf(families: readonly SievedFamily[], row: StoredRow): StoredCell[] {
    const { now, raw } = this.#reading
    return families.flatMap(({ columns, sieve }) => {
      if (!sieve.reaches(ofFamily(row, columns))) return []
      sieve.startRow()
      const cells = visibleCells(row.cells, [columns], this.#query, now, raw, sieve)
      sieve.closeIfDone()
      return cells
    })
  }

  /** The cells that filterRowCells keeps; undefined: the filter excludes the row. */
  #keptOf(cells: StoredCell[]): StoredCell[] | undefined {
    const filter = this.#filter
    if (!filter.hasFilterRow) return filter.filterRow() ? undefined : cells
    const offsets: number[] = []
    let offset = CELL_PREFIX_BYTES
    for (const { row, family, qualifier, value, tags } of cells) {
      offsets.push(offset)
      offset += CELL_PREFIX_BYTES + cellBytes(row.length, family.length, qualifier.length, value.length)
      if (tags !== undefined) offset += TAGS_LENGTH_BYTES + tags.length
    }
    const all = [...offsets]
    filter.filterRowCells(blockOf(cells).buffer, offsets)
    if (offsets.length > 0 && filter.filterRow()) return undefined
    return offsets.map((kept) => cells[all.indexOf(kept)]!)
  }
}

function ofFamily(row: StoredRow, { family }: ReadColumns): StoredCell[] {
  return row.cells.filter((cell) => cell.family.equals(family.name))
}
