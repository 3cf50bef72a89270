/**
 * Mutations as messages without cells: those lie in the request's cell block, in the order of the mutations. Field
 * numbers are those of idl/rpc/client.proto. PERSISTED: never renumber.
 */

import type { CompareOperator, Condition, Durability } from '../../model/mutation.ts'
import type { TimeRange } from '../../model/time-range.ts'
import type { MessageWriter } from './message-writer.ts'
import { writeAttribute, writeTimeRange } from './query-messages.ts'

/** MutationProto.MutationType. PERSISTED: never renumber. */
export const MutationType = { Append: 0, Increment: 1, Put: 2, Delete: 3 } as const
export type MutationType = (typeof MutationType)[keyof typeof MutationType]

/** MutationProto.Durability. PERSISTED: never renumber. */
const DURABILITY: Readonly<Record<Durability, number>> = {
  USE_DEFAULT: 0,
  SKIP_WAL: 1,
  ASYNC_WAL: 2,
  SYNC_WAL: 3,
  FSYNC_WAL: 4,
}

/** CompareType. PERSISTED: never renumber. */
const COMPARE_TYPE: Readonly<Record<CompareOperator, number>> = {
  LESS: 0,
  LESS_OR_EQUAL: 1,
  EQUAL: 2,
  NOT_EQUAL: 3,
  GREATER_OR_EQUAL: 4,
  GREATER: 5,
}

const BINARY_COMPARATOR = 'org.apache.hadoop.hbase.filter.BinaryComparator'
const NO_VALUE = Buffer.alloc(0)

const Field = {
  row: 1,
  mutateType: 2,
  attribute: 5,
  durability: 6,
  timeRange: 7,
  associatedCellCount: 8,
  nonce: 9,
} as const

const ConditionField = {
  row: 1,
  family: 2,
  qualifier: 3,
  compareType: 4,
  comparator: 5,
  timeRange: 6,
} as const

export interface MutationMessage {
  readonly type: MutationType
  readonly row: Buffer
  /** So many cells of the request's cell block are this mutation's. A delete without cells deletes the row. */
  readonly cellCount: number
  readonly durability: Durability
  readonly ttlMs?: number | undefined
  /** Of increments and appends: the cells that count as present. */
  readonly timeRange?: TimeRange | undefined
  /** Of increments and appends: what was done once under a nonce is not done again. */
  readonly nonce?: bigint | undefined
}

export function writeMutation(writer: MessageWriter, field: number, mutation: MutationMessage): void {
  const start = writer.begin(field)
  writer.bytes(Field.row, mutation.row)
  writer.uint32(Field.mutateType, mutation.type)
  if (mutation.ttlMs !== undefined) {
    const ttl = Buffer.alloc(8)
    ttl.writeBigInt64BE(BigInt(mutation.ttlMs))
    writeAttribute(writer, Field.attribute, '_ttl', ttl)
  }
  if (mutation.durability !== 'USE_DEFAULT') writer.uint32(Field.durability, DURABILITY[mutation.durability])
  if (mutation.timeRange !== undefined) writeTimeRange(writer, Field.timeRange, mutation.timeRange)
  writer.uint32(Field.associatedCellCount, mutation.cellCount)
  if (mutation.nonce !== undefined) writer.int64(Field.nonce, mutation.nonce)
  writer.end(start)
}

/** A condition on the newest cell of a column, as Java's checkAndMutate sends it. */
export function writeCondition(
  writer: MessageWriter,
  field: number,
  row: Buffer,
  condition: Condition,
): void {
  const start = writer.begin(field)
  writer.bytes(ConditionField.row, row)
  writer.bytes(ConditionField.family, condition.family)
  writer.bytes(ConditionField.qualifier, condition.qualifier)
  writer.uint32(ConditionField.compareType, COMPARE_TYPE[condition.operator])
  const comparator = writer.begin(ConditionField.comparator)
  writer.string(1, BINARY_COMPARATOR)
  const serialized = writer.begin(2)
  const comparable = writer.begin(1)
  writer.bytes(1, condition.value ?? NO_VALUE)
  writer.end(comparable)
  writer.end(serialized)
  writer.end(comparator)
  if (condition.timeRange !== undefined) writeTimeRange(writer, ConditionField.timeRange, condition.timeRange)
  writer.end(start)
}
