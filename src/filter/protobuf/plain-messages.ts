/** The filters whose fields are the fields of their protobuf message: the schema of filters reads and writes them. */

import { type DescField, type DescMessage, isFieldSet } from '@bufbuild/protobuf'
import type { Filter, FilterOfKind } from '../../model/filter.ts'
import { file_filter } from '../../wire/rpc/gen/filter_pb.ts'
import { fieldsOf, valueOf } from '../schema/filter-schema.ts'
import { buffer, readMessage, writeMessage } from './messages.ts'

/** Some of them are read by code of their own: a list in steps, or a field without which HBase fails. */
export type PlainKind =
  | 'ColumnCountGetFilter'
  | 'ColumnPrefixFilter'
  | 'ColumnRangeFilter'
  | 'FirstKeyOnlyFilter'
  | 'FirstKeyValueMatchingQualifiersFilter'
  | 'InclusiveStopFilter'
  | 'KeyOnlyFilter'
  | 'MultipleColumnPrefixFilter'
  | 'PageFilter'
  | 'PrefixFilter'
  | 'RandomRowFilter'
  | 'TimestampsFilter'

/** The messages by the name of the filter, which is the name of its message. */
const messages: ReadonlyMap<string, DescMessage> = new Map(
  file_filter.messages.map((schema) => [schema.name, schema]),
)

/** The bytes of a filter's message. */
export function writePlainMessage(filter: FilterOfKind<PlainKind>): Uint8Array {
  const schema = messages.get(filter.kind)!
  const values: Record<string, unknown> = {}
  for (const field of fieldsOf(filter.kind)) {
    const value = valueOf(filter, field)
    if (value !== undefined) values[field.protobuf ?? field.name] = Array.isArray(value) ? [...value] : value
  }
  return writeMessage(schema, values)
}

/** Reads a filter without a list. Throws InvalidMessage. */
export function readPlainMessage(kind: PlainKind, bytes: Uint8Array): Filter {
  const schema = messages.get(kind)!
  const message = readMessage(schema, bytes)
  const values = message as unknown as Readonly<Record<string, unknown>>
  const filter: Record<string, unknown> = { kind }
  for (const { name, type, protobuf = name } of fieldsOf(kind)) {
    const value = values[protobuf]
    if (type === 'bound' && !isFieldSet(message, schema.field[protobuf] as DescField))
      filter[name] = undefined
    else filter[name] = value instanceof Uint8Array ? buffer(value) : value
  }
  return filter as unknown as Filter
}
