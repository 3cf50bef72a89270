import { compareBytes } from '../../model/bytes.ts'
import type { Filter, FilterKind } from '../../model/filter.ts'
import { isSteps, type Steps, sortInSteps } from '../../model/steps.ts'
import { distinctTimestamps } from '../schema/distinct-timestamps.ts'
import { argumentsOf, type FieldType, type FieldValue, fieldsOf } from '../schema/filter-schema.ts'
import type { ArgumentList } from './argument-list.ts'

type FilterBuilder = (list: ArgumentList) => Steps<Filter>

/** Errors and the console list the filters in this order, which is that of ParseFilter. */
const KINDS: readonly FilterKind[] = [
  'KeyOnlyFilter',
  'FirstKeyOnlyFilter',
  'PrefixFilter',
  'ColumnPrefixFilter',
  'MultipleColumnPrefixFilter',
  'ColumnCountGetFilter',
  'PageFilter',
  'ColumnPaginationFilter',
  'InclusiveStopFilter',
  'TimestampsFilter',
  'RowFilter',
  'FamilyFilter',
  'QualifierFilter',
  'ValueFilter',
  'ColumnRangeFilter',
  'SingleColumnValueFilter',
  'SingleColumnValueExcludeFilter',
  'DependentColumnFilter',
  'ColumnValueFilter',
]

/** The filters of the language by name. HBase: ParseFilter's filterHashMap. */
export const namedFilters: ReadonlyMap<string, FilterBuilder> = new Map(
  KINDS.map((kind) => [kind, (list: ArgumentList) => builtInSteps(kind, list)]),
)

function* builtInSteps(kind: FilterKind, list: ArgumentList): Steps<Filter> {
  const allowed = argumentsOf(kind)
  if (allowed !== 'any') list.expectCount(allowed.counts.includes(list.length), allowed.words)
  const filter: Record<string, unknown> = { kind }
  for (const [index, { name, type, isArgument, otherwise }] of fieldsOf(kind).entries()) {
    if (isArgument === false || (allowed !== 'any' && index >= list.length)) filter[name] = otherwise
    else {
      const read = readers[type as ArgumentType] as ReadArgument<unknown>
      const value = read(list, index)
      filter[name] = isSteps(value) ? yield* value : value
    }
  }
  return filter as unknown as Filter
}

/** The types of fields that the language can express. */
export type ArgumentType = Exclude<FieldType, 'float' | 'fuzzyKeys' | 'ranges'>

type ReadArgument<Value> = (list: ArgumentList, index: number) => Value | Steps<Value>

const readers: { readonly [Type in ArgumentType]: ReadArgument<FieldValue<Type>> } = {
  boolean: (list, index) => list.boolean(index),
  optionalBoolean: (list, index) => list.boolean(index),
  int32: (list, index) => list.int32(index),
  int64: (list, index) => list.int64(index),
  offset: (list, index) => list.int32(index),
  bytes: (list, index) => list.bytes(index),
  optionalBytes: (list, index) => list.bytes(index),
  bound: (list, index) => {
    const bytes = list.bytes(index)
    return bytes.length === 0 ? undefined : bytes
  },
  operator: (list, index) => list.operator(index),
  comparator: (list, index) => list.comparatorOfOperator(index),
  optionalComparator: (list, index) => list.comparator(index),
  sortedBytes,
  timestamps,
}

/** Arguments that are read in a step. */
const STEP_ARGUMENTS = 256

/** All arguments. */
function* sortedBytes(list: ArgumentList): Steps<Buffer[]> {
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
  return yield* sortInSteps(prefixes, compareBytes)
}

/** All arguments. */
function* timestamps(list: ArgumentList): Steps<bigint[]> {
  const stated: bigint[] = []
  for (let i = 0; i < list.length; i++) {
    if (i % STEP_ARGUMENTS === STEP_ARGUMENTS - 1) yield
    stated.push(list.int64(i))
  }
  return yield* distinctTimestamps(stated)
}
