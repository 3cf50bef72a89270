import { compareBytes } from '../../model/bytes.ts'
import type { Comparison, Filter, SingleColumnValue } from '../../model/filter.ts'
import { type Steps, sortInSteps } from '../../model/steps.ts'
import { distinctTimestamps } from '../distinct-timestamps.ts'
import type { ArgumentList } from './argument-list.ts'

type FilterBuilder = (list: ArgumentList) => Filter | Steps<Filter>

/** Arguments that are read in a step. */
const STEP_ARGUMENTS = 256

/** The filters of the language by name. HBase: ParseFilter's filterHashMap. */
export const namedFilters: ReadonlyMap<string, FilterBuilder> = new Map<string, FilterBuilder>([
  ['KeyOnlyFilter', keyOnly],
  ['FirstKeyOnlyFilter', firstKeyOnly],
  ['PrefixFilter', (list) => ({ kind: 'PrefixFilter', prefix: onlyBytes(list) })],
  ['ColumnPrefixFilter', (list) => ({ kind: 'ColumnPrefixFilter', prefix: onlyBytes(list) })],
  ['MultipleColumnPrefixFilter', multipleColumnPrefix],
  ['ColumnCountGetFilter', columnCountGet],
  ['PageFilter', page],
  ['ColumnPaginationFilter', columnPagination],
  ['InclusiveStopFilter', (list) => ({ kind: 'InclusiveStopFilter', stopRow: onlyBytes(list) })],
  ['TimestampsFilter', timestamps],
  ['RowFilter', (list) => ({ kind: 'RowFilter', ...onlyComparison(list) })],
  ['FamilyFilter', (list) => ({ kind: 'FamilyFilter', ...onlyComparison(list) })],
  ['QualifierFilter', (list) => ({ kind: 'QualifierFilter', ...onlyComparison(list) })],
  ['ValueFilter', (list) => ({ kind: 'ValueFilter', ...onlyComparison(list) })],
  ['ColumnRangeFilter', columnRange],
  ['SingleColumnValueFilter', (list) => ({ kind: 'SingleColumnValueFilter', ...singleColumnValue(list) })],
  [
    'SingleColumnValueExcludeFilter',
    (list) => ({ kind: 'SingleColumnValueExcludeFilter', ...singleColumnValue(list) }),
  ],
  ['DependentColumnFilter', dependentColumn],
  ['ColumnValueFilter', columnValue],
])

function onlyBytes(list: ArgumentList): Buffer {
  list.expectCount(list.length === 1, 'one argument')
  return list.bytes(0)
}

function keyOnly(list: ArgumentList): Filter {
  list.expectCount(list.length <= 1, 'no argument or one')
  return { kind: 'KeyOnlyFilter', lengthAsValue: list.length === 1 && list.boolean(0) }
}

function firstKeyOnly(list: ArgumentList): Filter {
  list.expectCount(list.length === 0, 'no argument')
  return { kind: 'FirstKeyOnlyFilter' }
}

function* multipleColumnPrefix(list: ArgumentList): Steps<Filter> {
  const known = new Set<string>()
  const prefixes: Buffer[] = []
  for (let i = 0; i < list.length; i++) {
    if (i % STEP_ARGUMENTS === STEP_ARGUMENTS - 1) yield
    const prefix = list.bytes(i)
    const key = prefix.toString('latin1')
    if (known.has(key)) list.refuse(i, 'a prefix other than those before it')
    known.add(key)
    prefixes.push(prefix)
  }
  return { kind: 'MultipleColumnPrefixFilter', prefixes: yield* sortInSteps(prefixes, compareBytes) }
}

function columnCountGet(list: ArgumentList): Filter {
  list.expectCount(list.length === 1, 'one argument')
  return { kind: 'ColumnCountGetFilter', limit: list.int32(0) }
}

function page(list: ArgumentList): Filter {
  list.expectCount(list.length === 1, 'one argument')
  return { kind: 'PageFilter', pageSize: list.int64(0) }
}

function columnPagination(list: ArgumentList): Filter {
  list.expectCount(list.length === 2, 'two arguments')
  return { kind: 'ColumnPaginationFilter', limit: list.int32(0), offset: list.int32(1) }
}

function* timestamps(list: ArgumentList): Steps<Filter> {
  const stated: bigint[] = []
  for (let i = 0; i < list.length; i++) {
    if (i % STEP_ARGUMENTS === STEP_ARGUMENTS - 1) yield
    stated.push(list.int64(i))
  }
  return { kind: 'TimestampsFilter', timestamps: yield* distinctTimestamps(stated), canHint: false }
}

function onlyComparison(list: ArgumentList): Comparison {
  list.expectCount(list.length === 2, 'two arguments')
  return list.comparison(0)
}

function columnRange(list: ArgumentList): Filter {
  list.expectCount(list.length === 4, 'four arguments')
  const min = list.bytes(0)
  const includeMin = list.boolean(1)
  const max = list.bytes(2)
  const includeMax = list.boolean(3)
  return {
    kind: 'ColumnRangeFilter',
    min: min.length === 0 ? undefined : min,
    includeMin,
    max: max.length === 0 ? undefined : max,
    includeMax,
  }
}

function singleColumnValue(list: ArgumentList): SingleColumnValue {
  list.expectCount(list.length === 4 || list.length === 6, 'four or six arguments')
  return {
    family: list.bytes(0),
    qualifier: list.bytes(1),
    ...list.comparison(2),
    filterIfMissing: list.length === 6 && list.boolean(4),
    latestVersionOnly: list.length < 6 || list.boolean(5),
  }
}

function dependentColumn(list: ArgumentList): Filter {
  const { length } = list
  list.expectCount(length === 2 || length === 3 || length === 5, 'two, three or five arguments')
  return {
    kind: 'DependentColumnFilter',
    family: list.bytes(0),
    qualifier: list.bytes(1),
    dropDependentColumn: length > 2 && list.boolean(2),
    // Unlike the other filters this one takes any comparator with any operator.
    operator: length === 5 ? list.operator(3) : 'NO_OP',
    comparator: length === 5 ? list.comparator(4) : undefined,
  }
}

function columnValue(list: ArgumentList): Filter {
  list.expectCount(list.length === 4, 'four arguments')
  return {
    kind: 'ColumnValueFilter',
    family: list.bytes(0),
    qualifier: list.bytes(1),
    ...list.comparison(2),
  }
}
