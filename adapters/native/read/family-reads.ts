import type { FilterEvaluator } from '../../../src/filter/evaluate/filter-evaluator.ts'
import { HBaseError } from '../../../src/model/errors.ts'
import { ALL_VERSIONS, type Query, type Scan } from '../../../src/model/query.ts'
import { TimeRange } from '../../../src/model/time-range.ts'
import type { CellIterator, CellRun } from '../cells/cell-run.ts'
import { AsOfMatcher, AsOfTimestamp } from './as-of-matcher.ts'
import { CellMerge } from './cell-merge.ts'
import { ExplicitColumns } from './explicit-columns.ts'
import type { FamilyRules } from './family-rules.ts'
import type { FamilyRuns } from './family-runs.ts'
import { FilteredMatcher } from './filtered-matcher.ts'
import type { Matcher } from './matcher.ts'
import { NewVersionMatcher } from './new-version-matcher.ts'
import { QueryMatcher } from './query-matcher.ts'
import { WildcardColumns } from './wildcard-columns.ts'

/** A family that a query reads, with the columns that the query names. */
export interface FamilyRead {
  readonly family: FamilyRuns
  /** undefined: every column. */
  readonly qualifiers: readonly Buffer[] | undefined
}

/** The families that the query names, or all of them, in order. Throws NO_SUCH_COLUMN_FAMILY. */
export function familyReads(families: readonly FamilyRuns[], query: Query): readonly FamilyRead[] {
  if (query.columns.length === 0) return families.map((family) => ({ family, qualifiers: undefined }))
  return query.columns.map(({ family: name, qualifiers }) => {
    const family = families.find((candidate) => candidate.rules.name.equals(name))
    if (family === undefined) {
      throw new HBaseError('NO_SUCH_COLUMN_FAMILY', `Column family ${name.toString()} does not exist`)
    }
    return { family, qualifiers: qualifiers?.length === 0 ? undefined : qualifiers }
  })
}

/** The query's time range for a family. */
function familyTimeRange(query: Query, rules: FamilyRules): TimeRange {
  return query.familyTimeRanges?.get(rules.name.toString('latin1')) ?? query.timeRange
}

/** A filter sees as many versions as the family keeps; the query's number counts the versions that it lets through. */
export function createMatcher(
  read: FamilyRead,
  query: Query,
  raw: boolean,
  now: number,
  filter?: FilterEvaluator,
): Matcher {
  const versions = raw ? query.maxVersions : Math.min(query.maxVersions, read.family.rules.maxVersions)
  if (filter === undefined) return createUnfilteredMatcher(read, query, raw, now, versions)
  const shown = raw ? ALL_VERSIONS : read.family.rules.maxVersions
  return new FilteredMatcher(createUnfilteredMatcher(read, query, raw, now, shown), filter, versions)
}

/** Undefined for a query of the present state. */
export function asOfTimestamp({ asOf }: Query): AsOfTimestamp | undefined {
  return asOf === undefined ? undefined : new AsOfTimestamp(asOf)
}

function createUnfilteredMatcher(
  read: FamilyRead,
  query: Query,
  raw: boolean,
  now: number,
  maxVersions: number,
): Matcher {
  const matcher = createPresentMatcher(read, query, raw, now, maxVersions)
  const asOf = asOfTimestamp(query)
  return asOf === undefined ? matcher : new AsOfMatcher(matcher, asOf)
}

function createPresentMatcher(
  read: FamilyRead,
  query: Query,
  raw: boolean,
  now: number,
  maxVersions: number,
): Matcher {
  const { rules } = read.family
  const range = familyTimeRange(query, rules)
  if (rules.newVersionBehavior && !raw) {
    return new NewVersionMatcher(rules, read.qualifiers, query.maxVersions, range, now)
  }
  const limits = { maxVersions, minVersions: rules.minVersions }
  const columns =
    read.qualifiers === undefined
      ? new WildcardColumns(limits, !raw)
      : new ExplicitColumns(read.qualifiers, limits)
  return new QueryMatcher(rules, columns, range, raw, now)
}

/** Time range for choosing a family's runs. With NEW_VERSION_BEHAVIOR cells of any time count. */
export function timesRead(query: Query, rules: FamilyRules): TimeRange {
  const range = rules.newVersionBehavior ? TimeRange.ALL : familyTimeRange(query, rules)
  const { asOf } = query
  if (asOf === undefined || asOf < range.min || asOf + 1n >= range.max) return range
  return TimeRange.between(range.min, asOf + 1n)
}

/** False if the run has no row of the scan. A scan of one row can use the run's bloom filter. HBase: Scan.isGetScan. */
export function runMayHaveRows(run: CellRun, scan: Scan): boolean {
  const { startRow, stopRow, includeStartRow, includeStopRow, reversed } = scan
  const isOfOneRow = includeStartRow && includeStopRow && startRow.length > 0 && startRow.equals(stopRow)
  if (isOfOneRow) return run.mayHaveRow(startRow)
  return reversed ? run.mayHaveRows(stopRow, startRow) : run.mayHaveRows(startRow, stopRow)
}

/**
 * Merges the runs; undefined if there are none. If a run fails to open, the others are closed again. `isOfOneRow`: see
 * CellRun.pointIterator.
 */
export function openMerge(
  runs: readonly CellRun[],
  readPoint: number,
  { cacheBlocks, withTags }: Pick<Query, 'cacheBlocks' | 'withTags'>,
  isOfOneRow = false,
): CellMerge | undefined {
  if (runs.length === 0) return undefined
  const open = (run: CellRun): CellIterator =>
    isOfOneRow ? run.pointIterator(readPoint, cacheBlocks) : run.iterator(readPoint, cacheBlocks)
  if (runs.length === 1) {
    const [run] = runs
    return new CellMerge([open(run!)], [{ run, readPoint, cacheBlocks }], withTags)
  }
  const newestFirst = [...runs].sort((a, b) => b.maxSequenceId - a.maxSequenceId)
  const iterators: CellIterator[] = []
  try {
    for (const run of newestFirst) iterators.push(open(run))
  } catch (error) {
    for (const iterator of iterators) iterator.close()
    throw error
  }
  return new CellMerge(
    iterators,
    newestFirst.map((run) => ({ run, readPoint, cacheBlocks })),
    withTags,
  )
}
