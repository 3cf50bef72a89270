import { compareBytes, EMPTY } from '../../model/bytes.ts'
import { isHBaseError } from '../../model/errors.ts'
import type {
  Comparison,
  Filter,
  FilterOperator,
  FuzzyKey,
  RowRange,
  SingleColumnValue,
} from '../../model/filter.ts'
import { mapInSteps, type Steps, sortInSteps } from '../../model/steps.ts'
import { parseInt64 } from '../../wire/text/int64-text.ts'
import { distinctTimestamps } from '../distinct-timestamps.ts'
import { checkInSteps } from '../filter-checks.ts'
import { decodeJavaBase64 } from './base64-text.ts'
import { buildComparator } from './build-comparator.ts'
import type { FilterSpec } from './filter-spec.ts'
import type { SpecMembers } from './spec-members.ts'

const OPERATORS: readonly FilterOperator[] = [
  'LESS',
  'LESS_OR_EQUAL',
  'EQUAL',
  'NOT_EQUAL',
  'GREATER_OR_EQUAL',
  'GREATER',
  'NO_OP',
]

type Build = (members: SpecMembers, spec: FilterSpec) => Filter | Steps<Filter>

/** The filters that the JSON form knows, by name. HBase: FilterModel.FilterType. */
const builds: ReadonlyMap<string, Build> = new Map<string, Build>([
  ['ColumnCountGetFilter', columnCountGet],
  ['ColumnPaginationFilter', columnPagination],
  [
    'ColumnPrefixFilter',
    (members, spec) => ({ kind: 'ColumnPrefixFilter', prefix: members.bytes(spec, 'value') }),
  ],
  ['ColumnRangeFilter', columnRange],
  ['DependentColumnFilter', dependentColumn],
  ['FamilyFilter', (members, spec) => ({ kind: 'FamilyFilter', ...comparison(members, spec) })],
  ['FilterList', filterList],
  ['FirstKeyOnlyFilter', () => ({ kind: 'FirstKeyOnlyFilter' })],
  ['FuzzyRowFilter', fuzzyRow],
  [
    'InclusiveStopFilter',
    (members, spec) => ({ kind: 'InclusiveStopFilter', stopRow: members.bytes(spec, 'value') }),
  ],
  ['KeyOnlyFilter', () => ({ kind: 'KeyOnlyFilter', lengthAsValue: false })],
  ['MultiRowRangeFilter', multiRowRange],
  ['MultipleColumnPrefixFilter', multipleColumnPrefix],
  ['PageFilter', page],
  ['PrefixFilter', (members, spec) => ({ kind: 'PrefixFilter', prefix: members.bytes(spec, 'value') })],
  ['QualifierFilter', (members, spec) => ({ kind: 'QualifierFilter', ...comparison(members, spec) })],
  [
    'RandomRowFilter',
    (members, spec) => ({ kind: 'RandomRowFilter', chance: members.needed(spec, 'chance') }),
  ],
  ['RowFilter', (members, spec) => ({ kind: 'RowFilter', ...comparison(members, spec) })],
  [
    'SingleColumnValueExcludeFilter',
    (members, spec) => ({ kind: 'SingleColumnValueExcludeFilter', ...singleColumnValue(members, spec) }),
  ],
  [
    'SingleColumnValueFilter',
    (members, spec) => ({ kind: 'SingleColumnValueFilter', ...singleColumnValue(members, spec) }),
  ],
  ['SkipFilter', skip],
  ['TimestampsFilter', timestamps],
  ['ValueFilter', (members, spec) => ({ kind: 'ValueFilter', ...comparison(members, spec) })],
  ['WhileMatchFilter', whileMatch],
])

/** HBase: FilterModel.build. Throws ILLEGAL_ARGUMENT. */
export function* buildFilter(members: SpecMembers, spec: FilterSpec): Steps<Filter> {
  const build = builds.get(spec.type ?? '')
  if (build === undefined) return members.refuse(spec, `one of ${[...builds.keys()].join(', ')} as "type"`)
  const made = build(members, spec)
  const filter = 'kind' in made ? made : yield* made
  try {
    yield* checkInSteps(filter)
  } catch (error) {
    if (!isHBaseError(error)) throw error
    members.refuse(spec, `what ${filter.kind} can do with (${error.message})`)
  }
  return filter
}

function columnCountGet(members: SpecMembers, spec: FilterSpec): Filter {
  return { kind: 'ColumnCountGetFilter', limit: members.needed(spec, 'limit') }
}

function columnPagination(members: SpecMembers, spec: FilterSpec): Filter {
  return {
    kind: 'ColumnPaginationFilter',
    limit: members.needed(spec, 'limit'),
    offset: members.needed(spec, 'offset'),
  }
}

/** An empty bound is the column with the empty name, not a missing bound. */
function columnRange(members: SpecMembers, spec: FilterSpec): Filter {
  return {
    kind: 'ColumnRangeFilter',
    min: members.bytes(spec, 'minColumn'),
    includeMin: members.needed(spec, 'minColumnInclusive'),
    max: members.bytes(spec, 'maxColumn'),
    includeMax: members.needed(spec, 'maxColumnInclusive'),
  }
}

function comparison(members: SpecMembers, spec: FilterSpec): Comparison {
  return {
    operator: members.word(spec, 'op', OPERATORS),
    comparator: buildComparator(members, members.needed(spec, 'comparator')),
  }
}

function qualifier(members: SpecMembers, spec: FilterSpec): Buffer {
  return spec.qualifier === undefined ? EMPTY : members.bytes(spec, 'qualifier')
}

function singleColumnValue(members: SpecMembers, spec: FilterSpec): SingleColumnValue {
  return {
    family: members.bytes(spec, 'family'),
    qualifier: qualifier(members, spec),
    ...comparison(members, spec),
    filterIfMissing: spec.ifMissing ?? false,
    latestVersionOnly: spec.latestVersion ?? true,
  }
}

function dependentColumn(members: SpecMembers, spec: FilterSpec): Filter {
  return {
    kind: 'DependentColumnFilter',
    family: members.bytes(spec, 'family'),
    qualifier: qualifier(members, spec),
    dropDependentColumn: members.needed(spec, 'dropDependentColumn'),
    ...comparison(members, spec),
  }
}

/** Filters that are made in a step. */
const STEP_FILTERS = 64

function* filterList(members: SpecMembers, spec: FilterSpec): Steps<Filter> {
  const filters: Filter[] = []
  for (const filter of members.needed(spec, 'filters')) {
    filters.push(yield* buildFilter(members, filter ?? members.refuse(spec, 'no null in "filters"')))
    if (filters.length % STEP_FILTERS === 0) yield
  }
  // Each list by itself may be short.
  yield
  return {
    kind: 'FilterList',
    operator: members.word(spec, 'op', ['MUST_PASS_ALL', 'MUST_PASS_ONE']),
    filters,
  }
}

function* skip(members: SpecMembers, spec: FilterSpec): Steps<Filter> {
  return { kind: 'SkipFilter', filter: yield* wrapped(members, spec) }
}

function* whileMatch(members: SpecMembers, spec: FilterSpec): Steps<Filter> {
  return { kind: 'WhileMatchFilter', filter: yield* wrapped(members, spec) }
}

/** The first of `filters`; the others are not looked at. */
function wrapped(members: SpecMembers, spec: FilterSpec): Steps<Filter> {
  return buildFilter(members, spec.filters?.[0] ?? members.refuse(spec, 'a filter in "filters"'))
}

function* fuzzyRow(members: SpecMembers, spec: FilterSpec): Steps<Filter> {
  const keys = yield* mapInSteps(members.needed(spec, 'fuzzyKeys'), (key): FuzzyKey => {
    const stated = key ?? members.refuse(spec, 'no null in "fuzzyKeys"')
    return { row: members.needed(stated, 'key'), mask: members.needed(stated, 'mask') }
  })
  return { kind: 'FuzzyRowFilter', keys, isMaskV2: true }
}

function* multiRowRange(members: SpecMembers, spec: FilterSpec): Steps<Filter> {
  const ranges = yield* mapInSteps(members.needed(spec, 'ranges'), (range): RowRange => {
    const stated = range ?? members.refuse(spec, 'no null in "ranges"')
    return {
      startRow: stated.startRow ?? EMPTY,
      includeStartRow: stated.startRowInclusive ?? true,
      stopRow: stated.stopRow ?? EMPTY,
      includeStopRow: stated.stopRowInclusive ?? false,
    }
  })
  return { kind: 'MultiRowRangeFilter', ranges }
}

function* multipleColumnPrefix(members: SpecMembers, spec: FilterSpec): Steps<Filter> {
  const prefixes = yield* mapInSteps(members.needed(spec, 'prefixes'), (prefix) => {
    return decodeJavaBase64(prefix) ?? members.refuse(spec, 'base64 in "prefixes"')
  })
  return { kind: 'MultipleColumnPrefixFilter', prefixes: yield* sortInSteps(prefixes, compareBytes) }
}

/** Reads "value" as Java's Long.parseLong. */
function page(members: SpecMembers, spec: FilterSpec): Filter {
  const value = members.needed(spec, 'value')
  try {
    return { kind: 'PageFilter', pageSize: parseInt64(value) }
  } catch (error) {
    if (!isHBaseError(error)) throw error
    return members.refuse(spec, 'a number of 64 bits as "value"')
  }
}

function* timestamps(members: SpecMembers, spec: FilterSpec): Steps<Filter> {
  const stated = yield* mapInSteps(members.needed(spec, 'timestamps'), (timestamp) => {
    return timestamp ?? members.refuse(spec, 'no null in "timestamps"')
  })
  return { kind: 'TimestampsFilter', timestamps: yield* distinctTimestamps(stated), canHint: false }
}
