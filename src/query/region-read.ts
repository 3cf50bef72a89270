import { createScanEvaluator, scanEvaluatorInSteps } from '../filter/evaluate/create-scan-evaluator.ts'
import type { FilterEvaluator } from '../filter/evaluate/filter-evaluator.ts'
import { Turn } from '../filter/turns/turn.ts'
import type { Query, Scan } from '../model/query.ts'
import type { Steps } from '../model/steps.ts'
import { FilteredRows, type RowReading } from './filtered-rows.ts'
import type { ReadColumns } from './read-columns.ts'
import type { StoredCell, StoredRow } from './stored-cell.ts'
import { visibleCells } from './visible-cells.ts'

/** The time and the random numbers on which a read depends. */
export interface ReadConditions {
  /** Milliseconds since 1970, by which cells expire. */
  readonly now: bigint
  /** Numbers from 0 up to 1, by which a RandomRowFilter decides. */
  readonly random: () => number
}

type ReadQuery = Query & Partial<Pick<Scan, 'raw' | 'reversed' | 'batch' | 'familiesOnDemand'>>

/**
 * Reads the rows of one region, in the scan's order, for a get or scan: columns, time ranges, versions, tombstones, times
 * to live, filters and `asOf`. A scan needs a new one for each region, as filters start anew there.
 */
export class RegionRead {
  readonly #query: Query
  readonly #columns: readonly ReadColumns[]
  readonly #reading: RowReading
  readonly #filtered: FilteredRows | undefined

  /** `filter`: the evaluator of the query's filter. Throws as createScanEvaluator and FilteredRows. */
  constructor(
    query: ReadQuery,
    columns: readonly ReadColumns[],
    { now, random }: ReadConditions,
    filter: FilterEvaluator | undefined = evaluatorOf(query, random),
  ) {
    const { raw = false, reversed = false, batch = -1, familiesOnDemand = true } = query
    this.#query = query
    this.#columns = columns
    this.#reading = { raw, reversed, batch, familiesOnDemand, now, random }
    this.#filtered = filter && new FilteredRows(filter, columns, query, this.#reading)
  }

  /** The cells of the row that the query sees; none if the query excludes the row. */
  read(row: StoredRow): StoredCell[] {
    const cells = this.#visible(row)
    return this.#query.withTags === true ? cells : cells.map(withoutItsTags)
  }

  #visible(row: StoredRow): StoredCell[] {
    const { asOf } = this.#query
    const cells = asOf === undefined ? row.cells : row.cells.filter(({ timestamp }) => timestamp <= asOf)
    if (this.#filtered !== undefined) return this.#filtered.read({ key: row.key, cells })
    const { now, raw } = this.#reading
    return visibleCells(cells, this.#columns, this.#query, now, raw)
  }

  /** True where the filter must see a whole row before the scan returns any of it. */
  get needsWholeRows(): boolean {
    return this.#filtered?.needsWholeRows === true
  }

  /**
   * QUIRK filter-regions-while-row-ne-binary-r3: a filter that has ended without passing any row ends the whole scan,
   * not only that of the region.
   */
  get endsScan(): boolean {
    return this.#filtered?.isOver === true && this.#filtered.passed === 0
  }
}

function evaluatorOf(
  { reversed = false, batch = -1, ...query }: ReadQuery,
  random: () => number,
): FilterEvaluator | undefined {
  return createScanEvaluator(query, reversed, batch, random, new Turn())
}

/** Makes the evaluator of the query's filter for a RegionRead, in steps. Throws as createScanEvaluator. */
export function readEvaluatorInSteps(
  { reversed = false, batch = -1, ...query }: ReadQuery,
  random: () => number,
): Steps<FilterEvaluator | undefined> {
  return scanEvaluatorInSteps(query, reversed, batch, random, new Turn())
}

function withoutItsTags(cell: StoredCell): StoredCell {
  if (cell.tags === undefined) return cell
  const { tags: _, ...plain } = cell
  return plain
}
