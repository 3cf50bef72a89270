/** Mutations and the conditions on them as protobuf; their cells travel in the frame's cell block. HBase: ProtobufUtil. */

import type { CompareOperator } from '../../../src/model/filter.ts'
import type { Condition, Durability } from '../../../src/model/mutation.ts'
import type { TimeRange } from '../../../src/model/time-range.ts'
import type { MessageWriter } from '../../../src/wire/rpc/message-writer.ts'
import { Field } from './field.ts'
import { writeAttribute, writeTimeRange } from './write-query.ts'

/** MutationProto.MutationType. PERSISTED: never renumber. */
export const MutationType = { Append: 0, Increment: 1, Put: 2, Delete: 3 } as const
export type MutationType = (typeof MutationType)[keyof typeof MutationType]

/** One mutation of one row, without its cells. */
export interface Mutation {
  readonly type: MutationType
  readonly row: Buffer
  /** Cells of it in the cell block of the call. */
  readonly cellCount: number
  /** Of a Delete of no cells: it deletes the whole row up to this time. */
  readonly timestamp?: bigint
  readonly durability: Durability
  readonly ttlMs?: number | undefined
  readonly timeRange?: TimeRange | undefined
  /** The server applies what has a nonce once, however often it comes; 0n: none. */
  readonly nonce: bigint
}

/** MutationProto.Durability. PERSISTED: never renumber. */
const DURABILITY_CODE: Readonly<Record<Durability, number>> = {
  USE_DEFAULT: 0,
  SKIP_WAL: 1,
  ASYNC_WAL: 2,
  SYNC_WAL: 3,
  FSYNC_WAL: 4,
}

/** CompareType. PERSISTED: never renumber. */
const COMPARE_CODE: Readonly<Record<CompareOperator, number>> = {
  LESS: 0,
  LESS_OR_EQUAL: 1,
  EQUAL: 2,
  NOT_EQUAL: 3,
  GREATER_OR_EQUAL: 4,
  GREATER: 5,
}

const BINARY_COMPARATOR = 'org.apache.hadoop.hbase.filter.BinaryComparator'
/** HBase: Mutation.OP_ATTRIBUTE_TTL. */
const TTL_ATTRIBUTE = '_ttl'

export function writeMutation(writer: MessageWriter, field: number, mutation: Mutation): void {
  const start = writer.begin(field)
  writer.bytes(Field.Mutation.row, mutation.row)
  writer.uint32(Field.Mutation.mutateType, mutation.type)
  if (mutation.timestamp !== undefined) writer.int64(Field.Mutation.timestamp, mutation.timestamp)
  if (mutation.ttlMs !== undefined) {
    const ttl = Buffer.alloc(8)
    ttl.writeBigInt64BE(BigInt(mutation.ttlMs))
    writeAttribute(writer, Field.Mutation.attribute, TTL_ATTRIBUTE, ttl)
  }
  if (mutation.durability !== 'USE_DEFAULT') {
    writer.uint32(Field.Mutation.durability, DURABILITY_CODE[mutation.durability])
  }
  if (mutation.timeRange !== undefined && !mutation.timeRange.isAllTime) {
    writeTimeRange(writer, Field.Mutation.timeRange, mutation.timeRange)
  }
  writer.uint32(Field.Mutation.associatedCellCount, mutation.cellCount)
  if (mutation.nonce !== 0n) writer.int64(Field.Mutation.nonce, mutation.nonce)
  writer.end(start)
}

/** A condition on `row`. An absent value is an empty one to HBase. */
export function writeCondition(
  writer: MessageWriter,
  field: number,
  row: Buffer,
  { family, qualifier, operator, value, timeRange }: Condition,
): void {
  const start = writer.begin(field)
  writer.bytes(Field.Condition.row, row)
  writer.bytes(Field.Condition.family, family)
  writer.bytes(Field.Condition.qualifier, qualifier)
  writer.uint32(Field.Condition.compareType, COMPARE_CODE[operator])
  const comparator = writer.begin(Field.Condition.comparator)
  writer.string(Field.Comparator.name, BINARY_COMPARATOR)
  const serialized = writer.begin(Field.Comparator.serializedComparator)
  const comparable = writer.begin(Field.BinaryComparator.comparable)
  if (value !== undefined) writer.bytes(Field.ByteArrayComparable.value, value)
  writer.end(comparable)
  writer.end(serialized)
  writer.end(comparator)
  if (timeRange !== undefined) writeTimeRange(writer, Field.Condition.timeRange, timeRange)
  writer.end(start)
}
