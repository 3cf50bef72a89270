/** Mutations and their conditions as protobuf; the cells mostly travel in the frame's cell block. HBase: ProtobufUtil. */

import { toBinary } from '@bufbuild/protobuf'
import { comparatorMessage } from '../../../src/filter/protobuf/encode-comparator.ts'
import { encodedFilter } from '../../../src/filter/protobuf/encoded-filters.ts'
import { CellType } from '../../../src/model/cell.ts'
import { type CellBlock, cellsOf } from '../../../src/model/cell-block.ts'
import type { Comparator, CompareOperator } from '../../../src/model/filter.ts'
import type { Condition, Durability, MutationAttributes } from '../../../src/model/mutation.ts'
import type { TimeRange } from '../../../src/model/time-range.ts'
import { Field } from '../../../src/wire/rpc/field.ts'
import { ComparatorSchema } from '../../../src/wire/rpc/gen/comparator_pb.ts'
import type { MessageWriter } from '../../../src/wire/rpc/message-writer.ts'
import { writeAttribute, writeTimeRange } from './write-query.ts'

/** MutationProto.MutationType. PERSISTED: never renumber. */
export const MutationType = { Append: 0, Increment: 1, Put: 2, Delete: 3 } as const
export type MutationType = (typeof MutationType)[keyof typeof MutationType]

/** One mutation of one row, without its cells. */
export interface Mutation {
  readonly type: MutationType
  readonly row: Buffer
  /** Cells of the mutation in the call's cell block. */
  readonly cellCount: number
  /** The time up to which a Delete without cells deletes the whole row; undefined in other mutations. */
  readonly timestamp?: bigint | undefined
  readonly durability: Durability
  readonly ttlMs?: number | undefined
  readonly attributes?: MutationAttributes | undefined
  /** False: an increment or append answers no cells. */
  readonly returnResults?: boolean | undefined
  readonly timeRange?: TimeRange | undefined
  /** The server applies a mutation with a nonce once, however often it arrives; 0n: none. */
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

/** MutationProto.DeleteType by the type of the cell. PERSISTED: never renumber. */
const DELETE_TYPE_CODE: Readonly<Record<number, number>> = {
  [CellType.Delete]: 0,
  [CellType.DeleteColumn]: 1,
  [CellType.DeleteFamily]: 2,
  [CellType.DeleteFamilyVersion]: 3,
}

const BINARY_COMPARATOR = 'org.apache.hadoop.hbase.filter.BinaryComparator'
/** HBase: Mutation.OP_ATTRIBUTE_TTL. */
const TTL_ATTRIBUTE = '_ttl'
/** HBase: Mutation.RETURN_RESULTS. */
const RETURN_RESULTS_ATTRIBUTE = '_rr_'
/** Bytes.toBytes(false). */
const FALSE = Buffer.from([0])

/** Writes a mutation. `own`: the cells to write into the message itself; undefined where they are in the call's cell block. */
export function writeMutation(
  writer: MessageWriter,
  field: number,
  mutation: Mutation,
  own?: CellBlock,
): void {
  const start = writer.begin(field)
  writer.bytes(Field.Mutation.row, mutation.row)
  writer.uint32(Field.Mutation.mutateType, mutation.type)
  if (mutation.timestamp !== undefined) writer.int64(Field.Mutation.timestamp, mutation.timestamp)
  if (mutation.ttlMs !== undefined) {
    const ttl = Buffer.alloc(8)
    ttl.writeBigInt64BE(BigInt(mutation.ttlMs))
    writeAttribute(writer, Field.Mutation.attribute, TTL_ATTRIBUTE, ttl)
  }
  if (mutation.attributes !== undefined) writeAttributes(writer, mutation.attributes, mutation)
  if (mutation.returnResults === false) {
    writeAttribute(writer, Field.Mutation.attribute, RETURN_RESULTS_ATTRIBUTE, FALSE)
  }
  if (mutation.durability !== 'USE_DEFAULT') {
    writer.uint32(Field.Mutation.durability, DURABILITY_CODE[mutation.durability])
  }
  if (mutation.timeRange !== undefined && !mutation.timeRange.isAllTime) {
    writeTimeRange(writer, Field.Mutation.timeRange, mutation.timeRange)
  }
  if (own === undefined) writer.uint32(Field.Mutation.associatedCellCount, mutation.cellCount)
  else writeColumnValues(writer, own)
  if (mutation.nonce !== 0n) writer.int64(Field.Mutation.nonce, mutation.nonce)
  writer.end(start)
}

function writeColumnValues(writer: MessageWriter, cells: CellBlock): void {
  for (const { family, qualifier, timestamp, type, value } of cellsOf(cells)) {
    const column = writer.begin(Field.Mutation.columnValue)
    writer.bytes(Field.ColumnValue.family, family)
    const own = writer.begin(Field.ColumnValue.qualifierValue)
    writer.bytes(Field.QualifierValue.qualifier, qualifier)
    writer.bytes(Field.QualifierValue.value, value)
    writer.int64(Field.QualifierValue.timestamp, timestamp)
    const deleteType = DELETE_TYPE_CODE[type]
    if (deleteType !== undefined) writer.uint32(Field.QualifierValue.deleteType, deleteType)
    writer.end(own)
    writer.end(column)
  }
}

/** Leaves out the attributes that writeMutation writes from the mutation's own fields. */
function writeAttributes(
  writer: MessageWriter,
  attributes: MutationAttributes,
  { ttlMs, returnResults }: Mutation,
): void {
  for (const [name, value] of attributes) {
    if (name === TTL_ATTRIBUTE && ttlMs !== undefined) continue
    if (name === RETURN_RESULTS_ATTRIBUTE && returnResults === false) continue
    writeAttribute(writer, Field.Mutation.attribute, name, value)
  }
}

/** A condition on `row`. */
export function writeCondition(
  writer: MessageWriter,
  field: number,
  row: Buffer,
  condition: Condition,
): void {
  const start = writer.begin(field)
  writer.bytes(Field.Condition.row, row)
  if (condition.kind === 'filter') {
    const filter = writer.begin(Field.Condition.filter)
    writer.raw(encodedFilter(condition.filter))
    writer.end(filter)
  } else {
    writer.bytes(Field.Condition.family, condition.family)
    writer.bytes(Field.Condition.qualifier, condition.qualifier)
    writer.uint32(Field.Condition.compareType, COMPARE_CODE[condition.operator])
    writeComparator(writer, condition.comparator)
  }
  if (condition.timeRange !== undefined) {
    writeTimeRange(writer, Field.Condition.timeRange, condition.timeRange)
  }
  writer.end(start)
}

/** HBase's clients test for an absent or empty value with a comparator of an empty value. */
function writeComparator(writer: MessageWriter, comparator: Comparator | undefined): void {
  const start = writer.begin(Field.Condition.comparator)
  if (comparator === undefined || comparator.kind === 'BinaryComparator') {
    writeBinaryComparator(writer, comparator?.value)
  } else writer.raw(toBinary(ComparatorSchema, comparatorMessage(comparator)))
  writer.end(start)
}

function writeBinaryComparator(writer: MessageWriter, value: Buffer | undefined): void {
  writer.string(Field.Comparator.name, BINARY_COMPARATOR)
  const serialized = writer.begin(Field.Comparator.serializedComparator)
  const comparable = writer.begin(Field.BinaryComparator.comparable)
  if (value !== undefined) writer.bytes(Field.ByteArrayComparable.value, value)
  writer.end(comparable)
  writer.end(serialized)
}
