import { isFieldSet } from '@bufbuild/protobuf'
import type { Filter } from '../../model/filter.ts'
import * as pb from '../../wire/rpc/gen/filter_pb.ts'
import { buffer, readMessage } from './messages.ts'
import { refused } from './refusal.ts'

/** The filters without a comparator, without inner filters and without a list, by the name of their class. */
export const leafDecoders: ReadonlyMap<string, (bytes: Uint8Array) => Filter> = new Map([
  ['ColumnCountGetFilter', columnCountGet],
  ['ColumnPaginationFilter', columnPagination],
  ['ColumnPrefixFilter', columnPrefix],
  ['ColumnRangeFilter', columnRange],
  ['FirstKeyOnlyFilter', firstKeyOnly],
  ['InclusiveStopFilter', inclusiveStop],
  ['KeyOnlyFilter', keyOnly],
  ['PageFilter', page],
  ['PrefixFilter', prefix],
  ['RandomRowFilter', randomRow],
])

function columnCountGet(bytes: Uint8Array): Filter {
  const { limit } = readMessage(pb.ColumnCountGetFilterSchema, bytes)
  return { kind: 'ColumnCountGetFilter', limit }
}

function columnPagination(bytes: Uint8Array): Filter {
  const message = readMessage(pb.ColumnPaginationFilterSchema, bytes)
  const { limit, offset } = message
  if (isFieldSet(message, pb.ColumnPaginationFilterSchema.field.columnOffset)) {
    return { kind: 'ColumnPaginationFilter', limit, offset: buffer(message.columnOffset) }
  }
  return { kind: 'ColumnPaginationFilter', limit, offset }
}

function columnPrefix(bytes: Uint8Array): Filter {
  return {
    kind: 'ColumnPrefixFilter',
    prefix: buffer(readMessage(pb.ColumnPrefixFilterSchema, bytes).prefix),
  }
}

function columnRange(bytes: Uint8Array): Filter {
  const message = readMessage(pb.ColumnRangeFilterSchema, bytes)
  const { minColumn, maxColumn } = pb.ColumnRangeFilterSchema.field
  return {
    kind: 'ColumnRangeFilter',
    min: isFieldSet(message, minColumn) ? buffer(message.minColumn) : undefined,
    includeMin: message.minColumnInclusive,
    max: isFieldSet(message, maxColumn) ? buffer(message.maxColumn) : undefined,
    includeMax: message.maxColumnInclusive,
  }
}

function firstKeyOnly(bytes: Uint8Array): Filter {
  readMessage(pb.FirstKeyOnlyFilterSchema, bytes)
  return { kind: 'FirstKeyOnlyFilter' }
}

function inclusiveStop(bytes: Uint8Array): Filter {
  const message = readMessage(pb.InclusiveStopFilterSchema, bytes)
  if (!isFieldSet(message, pb.InclusiveStopFilterSchema.field.stopRowKey)) {
    throw refused('java.lang.NullPointerException: an InclusiveStopFilter without a row')
  }
  return { kind: 'InclusiveStopFilter', stopRow: buffer(message.stopRowKey) }
}

function keyOnly(bytes: Uint8Array): Filter {
  return { kind: 'KeyOnlyFilter', lengthAsValue: readMessage(pb.KeyOnlyFilterSchema, bytes).lenAsVal }
}

function page(bytes: Uint8Array): Filter {
  const { pageSize } = readMessage(pb.PageFilterSchema, bytes)
  return { kind: 'PageFilter', pageSize }
}

function prefix(bytes: Uint8Array): Filter {
  const message = readMessage(pb.PrefixFilterSchema, bytes)
  // A PrefixFilter without a prefix passes no row.
  if (!isFieldSet(message, pb.PrefixFilterSchema.field.prefix)) return { kind: 'FilterAllFilter' }
  return { kind: 'PrefixFilter', prefix: buffer(message.prefix) }
}

function randomRow(bytes: Uint8Array): Filter {
  return { kind: 'RandomRowFilter', chance: readMessage(pb.RandomRowFilterSchema, bytes).chance }
}
