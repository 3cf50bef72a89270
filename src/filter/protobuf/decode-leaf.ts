import { isFieldSet } from '@bufbuild/protobuf'
import type { Filter } from '../../model/filter.ts'
import * as pb from '../../wire/rpc/gen/filter_pb.ts'
import { buffer, readMessage } from './messages.ts'
import { type PlainKind, readPlainMessage } from './plain-messages.ts'
import { refused } from './refusal.ts'

type Decode = (bytes: Uint8Array) => Filter

/** The filters without a comparator, without inner filters and without a list, by the name of their class. */
export const leafDecoders: ReadonlyMap<string, Decode> = new Map<string, Decode>([
  plain('ColumnCountGetFilter'),
  ['ColumnPaginationFilter', columnPagination],
  plain('ColumnPrefixFilter'),
  plain('ColumnRangeFilter'),
  plain('FirstKeyOnlyFilter'),
  ['InclusiveStopFilter', inclusiveStop],
  plain('KeyOnlyFilter'),
  plain('PageFilter'),
  ['PrefixFilter', prefix],
  plain('RandomRowFilter'),
])

function plain(kind: PlainKind): [string, Decode] {
  return [kind, (bytes) => readPlainMessage(kind, bytes)]
}

function columnPagination(bytes: Uint8Array): Filter {
  const message = readMessage(pb.ColumnPaginationFilterSchema, bytes)
  const { limit, offset } = message
  if (isFieldSet(message, pb.ColumnPaginationFilterSchema.field.columnOffset)) {
    return { kind: 'ColumnPaginationFilter', limit, offset: buffer(message.columnOffset) }
  }
  return { kind: 'ColumnPaginationFilter', limit, offset }
}

function inclusiveStop(bytes: Uint8Array): Filter {
  const message = readMessage(pb.InclusiveStopFilterSchema, bytes)
  if (!isFieldSet(message, pb.InclusiveStopFilterSchema.field.stopRowKey)) {
    throw refused('java.lang.NullPointerException: an InclusiveStopFilter without a row')
  }
  return { kind: 'InclusiveStopFilter', stopRow: buffer(message.stopRowKey) }
}

function prefix(bytes: Uint8Array): Filter {
  const message = readMessage(pb.PrefixFilterSchema, bytes)
  // A PrefixFilter without a prefix passes no row.
  if (!isFieldSet(message, pb.PrefixFilterSchema.field.prefix)) return { kind: 'FilterAllFilter' }
  return { kind: 'PrefixFilter', prefix: buffer(message.prefix) }
}
