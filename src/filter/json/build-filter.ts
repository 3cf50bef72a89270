import { compareBytes, EMPTY } from '../../model/bytes.ts'
import { isHBaseError } from '../../model/errors.ts'
import type { Filter, FilterKind, FilterOperator, FuzzyKey, RowRange } from '../../model/filter.ts'
import { isSteps, mapInSteps, type Steps, sortInSteps } from '../../model/steps.ts'
import { parseInt64 } from '../../wire/text/int64-text.ts'
import { distinctTimestamps } from '../schema/distinct-timestamps.ts'
import { checkInSteps } from '../schema/filter-checks.ts'
import type { FilterSpec } from '../schema/filter-members.ts'
import {
  type FieldType,
  type FieldValue,
  fieldsOf,
  type JsonMember,
  jsonKinds,
} from '../schema/filter-schema.ts'
import { decodeJavaBase64 } from './base64-text.ts'
import { buildComparator } from './build-comparator.ts'
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

/** Reads the value of one field. `otherwise`: the value for a missing member of an optional field. */
type ReadField<Type extends FieldType> = (
  members: SpecMembers,
  spec: FilterSpec,
  member: JsonMember<Type>,
  otherwise: FieldValue<Type> | undefined,
) => FieldValue<Type> | Steps<FieldValue<Type>>

const readers: { readonly [Type in FieldType]: ReadField<Type> } = {
  boolean: (members, spec, member) => members.needed(spec, member),
  optionalBoolean: (_members, spec, member, otherwise = false) => spec[member] ?? otherwise,
  int32: (members, spec, member) => members.needed(spec, member),
  int64: readInt64,
  float: (members, spec, member) => members.needed(spec, member),
  offset: (members, spec, member) => members.needed(spec, member),
  bytes: (members, spec, member) => members.bytes(spec, member),
  optionalBytes: (members, spec, member) =>
    spec[member] === undefined ? EMPTY : members.bytes(spec, member),
  // An empty bound is the column with the empty name, not a missing bound.
  bound: (members, spec, member) => members.bytes(spec, member),
  operator: (members, spec, member) => members.word(spec, member, OPERATORS),
  comparator: (members, spec, member) => buildComparator(members, members.needed(spec, member)),
  optionalComparator: (members, spec, member) => buildComparator(members, members.needed(spec, member)),
  fuzzyKeys: readFuzzyKeys,
  ranges: readRanges,
  sortedBytes: readSortedBytes,
  timestamps: readTimestamps,
}

/** HBase: FilterModel.build. Throws ILLEGAL_ARGUMENT. */
export function* buildFilter(members: SpecMembers, spec: FilterSpec): Steps<Filter> {
  const { type = '' } = spec
  if (!jsonKinds.has(type)) return members.refuse(spec, `one of ${[...jsonKinds].join(', ')} as "type"`)
  const filter = yield* builtInSteps(members, spec, type as FilterKind)
  try {
    yield* checkInSteps(filter)
  } catch (error) {
    if (!isHBaseError(error)) throw error
    members.refuse(spec, `what ${filter.kind} can do with (${error.message})`)
  }
  return filter
}

function* builtInSteps(members: SpecMembers, spec: FilterSpec, kind: FilterKind): Steps<Filter> {
  if (kind === 'FilterList') return yield* filterList(members, spec)
  if (kind === 'SkipFilter' || kind === 'WhileMatchFilter') {
    return { kind, filter: yield* wrapped(members, spec) }
  }
  const filter: Record<string, unknown> = { kind }
  for (const { name, type, json, otherwise } of fieldsOf(kind)) {
    if (json === undefined) filter[name] = otherwise
    else {
      const read = readers[type] as ReadAnyField
      const value = read(members, spec, json, otherwise)
      filter[name] = isSteps(value) ? yield* value : value
    }
  }
  return filter as unknown as Filter
}

type ReadAnyField = (members: SpecMembers, spec: FilterSpec, member: string, otherwise: unknown) => unknown

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

/** The first of `filters`; the others are not looked at. */
function wrapped(members: SpecMembers, spec: FilterSpec): Steps<Filter> {
  return buildFilter(members, spec.filters?.[0] ?? members.refuse(spec, 'a filter in "filters"'))
}

/** Reads as Java's Long.parseLong. */
function readInt64(members: SpecMembers, spec: FilterSpec, member: JsonMember<'int64'>): bigint {
  const value = members.needed(spec, member)
  try {
    return parseInt64(value)
  } catch (error) {
    if (!isHBaseError(error)) throw error
    return members.refuse(spec, `a number of 64 bits as "${member}"`)
  }
}

function* readFuzzyKeys(
  members: SpecMembers,
  spec: FilterSpec,
  member: JsonMember<'fuzzyKeys'>,
): Steps<FuzzyKey[]> {
  return yield* mapInSteps(members.needed(spec, member), (key): FuzzyKey => {
    const stated = key ?? members.refuse(spec, `no null in "${member}"`)
    return { row: members.needed(stated, 'key'), mask: members.needed(stated, 'mask') }
  })
}

function* readRanges(
  members: SpecMembers,
  spec: FilterSpec,
  member: JsonMember<'ranges'>,
): Steps<RowRange[]> {
  return yield* mapInSteps(members.needed(spec, member), (range): RowRange => {
    const stated = range ?? members.refuse(spec, `no null in "${member}"`)
    return {
      startRow: stated.startRow ?? EMPTY,
      includeStartRow: stated.startRowInclusive ?? true,
      stopRow: stated.stopRow ?? EMPTY,
      includeStopRow: stated.stopRowInclusive ?? false,
    }
  })
}

function* readSortedBytes(
  members: SpecMembers,
  spec: FilterSpec,
  member: JsonMember<'sortedBytes'>,
): Steps<Buffer[]> {
  const decoded = yield* mapInSteps(members.needed(spec, member), (text) => {
    return decodeJavaBase64(text) ?? members.refuse(spec, `base64 in "${member}"`)
  })
  return yield* sortInSteps(decoded, compareBytes)
}

function* readTimestamps(
  members: SpecMembers,
  spec: FilterSpec,
  member: JsonMember<'timestamps'>,
): Steps<bigint[]> {
  const stated = yield* mapInSteps(members.needed(spec, member), (timestamp) => {
    return timestamp ?? members.refuse(spec, `no null in "${member}"`)
  })
  return yield* distinctTimestamps(stated)
}
