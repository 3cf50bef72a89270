/**
 * The schema of filters: each filter's fields in their order, which all forms share, and their names in the forms. JSON, the
 * string language and plain protobuf messages are read and written by this table.
 */

import type { MessageShape } from '@bufbuild/protobuf'
import type {
  Comparator,
  Filter,
  FilterKind,
  FilterOfKind,
  FilterOperator,
  FuzzyKey,
  RowRange,
} from '../../model/filter.ts'
import type * as pb from '../../wire/rpc/gen/filter_pb.ts'
import type { MemberOf } from './filter-members.ts'

/** The types of fields: a field's value in the model, and the names that its member in JSON may have. */
interface FieldTypes {
  boolean: { model: boolean; json: MemberOf<boolean> }
  /** In JSON it may be missing. */
  optionalBoolean: { model: boolean; json: MemberOf<boolean> }
  int32: { model: number; json: MemberOf<number> }
  int64: { model: bigint; json: MemberOf<string> }
  float: { model: number; json: MemberOf<number> }
  /** A column to begin with can only be sent as protobuf. */
  offset: { model: number | Buffer; json: MemberOf<number> }
  bytes: { model: Buffer; json: MemberOf<string> }
  /** A missing member in JSON means no bytes. */
  optionalBytes: { model: Buffer; json: MemberOf<string> }
  /** The end of a range of columns. */
  bound: { model: Buffer | undefined; json: MemberOf<string> }
  operator: { model: FilterOperator; json: MemberOf<string> }
  comparator: { model: Comparator; json: 'comparator' }
  /** Unlike others, this comparator goes with any operator. */
  optionalComparator: { model: Comparator | undefined; json: 'comparator' }
  fuzzyKeys: { model: readonly FuzzyKey[]; json: 'fuzzyKeys' }
  ranges: { model: readonly RowRange[]; json: 'ranges' }
  sortedBytes: { model: readonly Buffer[]; json: 'prefixes' }
  timestamps: { model: readonly bigint[]; json: 'timestamps' }
}

export type FieldType = keyof FieldTypes
export type FieldValue<Type extends FieldType> = FieldTypes[Type]['model']
export type JsonMember<Type extends FieldType> = FieldTypes[Type]['json']

type TypeOfValue<Value> = {
  [Type in FieldType]: [Value, FieldValue<Type>] extends [FieldValue<Type>, Value] ? Type : never
}[FieldType]

interface FieldOfType<Type extends FieldType, Message> {
  readonly type: Type
  /** Absent where JSON has no such member: there the field has the value `otherwise`. */
  readonly json?: JsonMember<Type>
  /** Its name in a plain protobuf message. Absent where the name is the same, and where the message is not plain. */
  readonly protobuf?: keyof Message & string
  /** Absent for an argument of the string language. Without one the field has the value `otherwise`. */
  readonly isArgument?: false
  /** The value of a field that a form lacks, or that a client may leave out. Absent where it may not. */
  readonly otherwise?: FieldValue<Type>
}

type FieldSchema<Value, Message> = {
  [Type in TypeOfValue<Value>]: FieldOfType<Type, Message>
}[TypeOfValue<Value>]

type MessageOf<Kind extends FilterKind> = `${Kind}Schema` extends keyof typeof pb
  ? MessageShape<(typeof pb)[`${Kind}Schema`]>
  : never

interface FilterSchema<Kind extends FilterKind, Fields = FilterOfKind<Kind>> {
  readonly fields: {
    readonly [Name in Exclude<keyof Fields, 'kind'>]: FieldSchema<Fields[Name], MessageOf<Kind>>
  }
  /** Absent for a filter that JSON can express. */
  readonly isInJson?: false
  /** How many arguments the string language allows, with words for the error. Absent: one for each field. */
  readonly arguments?: 'any' | { readonly counts: readonly number[]; readonly words: string }
}

type FilterSchemas = {
  readonly [Kind in FilterKind]: Kind extends 'AccessControlFilter'
    ? 'in no form'
    : Kind extends 'FilterList' | 'SkipFilter' | 'WhileMatchFilter'
      ? 'own code'
      : FilterSchema<Kind>
}

const operator = { type: 'operator', json: 'op' } as const
const comparison = { operator, comparator: { type: 'comparator', json: 'comparator' } } as const
const column = {
  family: { type: 'bytes', json: 'family' },
  qualifier: { type: 'optionalBytes', json: 'qualifier' },
} as const
const prefix = { type: 'bytes', json: 'value' } as const
const limit = { type: 'int32', json: 'limit' } as const
const singleColumnValue: FilterSchema<'SingleColumnValueFilter' | 'SingleColumnValueExcludeFilter'> = {
  arguments: { counts: [4, 6], words: 'four or six arguments' },
  fields: {
    ...column,
    ...comparison,
    filterIfMissing: { type: 'optionalBoolean', json: 'ifMissing', otherwise: false },
    latestVersionOnly: { type: 'optionalBoolean', json: 'latestVersion', otherwise: true },
  },
}

/** In the order in which HBase's FilterModel.FilterType has them. */
const schemas: FilterSchemas = {
  AccessControlFilter: 'in no form',
  ColumnCountGetFilter: { fields: { limit } },
  ColumnPaginationFilter: { fields: { limit, offset: { type: 'offset', json: 'offset' } } },
  ColumnPrefixFilter: { fields: { prefix } },
  ColumnRangeFilter: {
    fields: {
      min: { type: 'bound', json: 'minColumn', protobuf: 'minColumn' },
      includeMin: { type: 'boolean', json: 'minColumnInclusive', protobuf: 'minColumnInclusive' },
      max: { type: 'bound', json: 'maxColumn', protobuf: 'maxColumn' },
      includeMax: { type: 'boolean', json: 'maxColumnInclusive', protobuf: 'maxColumnInclusive' },
    },
  },
  ColumnValueFilter: { isInJson: false, fields: { ...column, ...comparison } },
  DependentColumnFilter: {
    arguments: { counts: [2, 3, 5], words: 'two, three or five arguments' },
    fields: {
      ...column,
      dropDependentColumn: { type: 'boolean', json: 'dropDependentColumn', otherwise: false },
      operator: { ...operator, otherwise: 'NO_OP' },
      comparator: { type: 'optionalComparator', json: 'comparator' },
    },
  },
  FamilyFilter: { fields: comparison },
  FilterAllFilter: { isInJson: false, fields: {} },
  FilterList: 'own code',
  FirstKeyOnlyFilter: { fields: {} },
  FirstKeyValueMatchingQualifiersFilter: { isInJson: false, fields: { qualifiers: { type: 'sortedBytes' } } },
  FuzzyRowFilter: {
    fields: {
      keys: { type: 'fuzzyKeys', json: 'fuzzyKeys' },
      isMaskV2: { type: 'boolean', otherwise: true },
    },
  },
  InclusiveStopFilter: { fields: { stopRow: { type: 'bytes', json: 'value', protobuf: 'stopRowKey' } } },
  KeyOnlyFilter: {
    arguments: { counts: [0, 1], words: 'no argument or one' },
    fields: { lengthAsValue: { type: 'boolean', protobuf: 'lenAsVal', otherwise: false } },
  },
  MultiRowRangeFilter: { fields: { ranges: { type: 'ranges', json: 'ranges' } } },
  MultipleColumnPrefixFilter: {
    arguments: 'any',
    fields: { prefixes: { type: 'sortedBytes', json: 'prefixes', protobuf: 'sortedPrefixes' } },
  },
  PageFilter: { fields: { pageSize: { type: 'int64', json: 'value' } } },
  PrefixFilter: { fields: { prefix } },
  QualifierFilter: { fields: comparison },
  RandomRowFilter: { fields: { chance: { type: 'float', json: 'chance' } } },
  RowFilter: { fields: comparison },
  SingleColumnValueExcludeFilter: singleColumnValue,
  SingleColumnValueFilter: singleColumnValue,
  SkipFilter: 'own code',
  TimestampsFilter: {
    arguments: 'any',
    fields: {
      timestamps: { type: 'timestamps', json: 'timestamps' },
      canHint: { type: 'boolean', isArgument: false, otherwise: false },
    },
  },
  ValueFilter: { fields: comparison },
  WhileMatchFilter: 'own code',
}

/** A field of any type. */
export interface Field extends Omit<FieldOfType<FieldType, Record<string, unknown>>, 'json'> {
  readonly name: string
  readonly json?: string
}

const fields: ReadonlyMap<FilterKind, readonly Field[]> = new Map(
  Object.entries(schemas).map(([kind, schema]) => [kind as FilterKind, fieldList(schema)]),
)

function fieldList(schema: FilterSchemas[FilterKind]): readonly Field[] {
  if (typeof schema === 'string') return []
  return Object.entries<Omit<Field, 'name'>>(schema.fields).map(([name, field]) => ({ name, ...field }))
}

/** The fields of filters of one kind, in their order; none for the filters with code of their own. */
export function fieldsOf(kind: FilterKind): readonly Field[] {
  return fields.get(kind)!
}

export function valueOf(filter: Filter, { name }: Field): unknown {
  return (filter as Filter & Readonly<Record<string, unknown>>)[name]
}

/** The filters that JSON can express, in the table's order. Errors list them so. */
export const jsonKinds: ReadonlySet<string> = new Set(
  Object.entries(schemas)
    .filter(([, schema]) => schema === 'own code' || (schema !== 'in no form' && schema.isInJson !== false))
    .map(([kind]) => kind),
)

const COUNTS = ['no argument', 'one argument', 'two arguments', 'three arguments', 'four arguments']

/** The counts of arguments that the string language allows for a filter. */
export function argumentsOf(kind: FilterKind): 'any' | { readonly counts: readonly number[]; words: string } {
  const schema = schemas[kind]
  const stated = typeof schema === 'string' ? undefined : schema.arguments
  const count = fieldsOf(kind).length
  return stated ?? { counts: [count], words: COUNTS[count]! }
}
