/** Reads mutations from protobuf, with their cells from the frame's cell block or from the message. HBase: ProtobufUtil. */

import { abbreviated, EMPTY, equalRange } from '../../../model/bytes.ts'
import { CellType, isStoredType } from '../../../model/cell.ts'
import { type CellBlock, CellBlockBuilder, CellCursor, TAGS_LENGTH_BYTES } from '../../../model/cell-block.ts'
import { areTags } from '../../../model/cell-tags.ts'
import { HBaseError } from '../../../model/errors.ts'
import {
  DEFAULT_MUTATION_OPTIONS,
  type Durability,
  type MutationOptions,
  type RowOperation,
} from '../../../model/mutation.ts'
import { checkRow } from '../../../model/query.ts'
import type { TimeRange } from '../../../model/time-range.ts'
import { LATEST_TIMESTAMP, timestampHigh, timestampLow } from '../../../model/timestamp.ts'
import { Field } from '../../../wire/rpc/field.ts'
import type { MessageReader } from '../../../wire/rpc/message-reader.ts'
import type { CellSource } from './cell-source.ts'
import { readAttribute, readTimeRange } from './selection.ts'

/** MutationProto.MutationType. PERSISTED: never renumber. */
export const MUTATION_KINDS = ['append', 'increment', 'put', 'delete'] as const
export type MutationKind = (typeof MUTATION_KINDS)[number]

/** MutationProto.Durability. PERSISTED: never renumber. */
export const DURABILITIES: readonly Durability[] = [
  'USE_DEFAULT',
  'SKIP_WAL',
  'ASYNC_WAL',
  'SYNC_WAL',
  'FSYNC_WAL',
]

/** MutationProto.DeleteType. PERSISTED: never renumber. */
const DELETE_TYPES = [
  CellType.Delete,
  CellType.DeleteColumn,
  CellType.DeleteFamily,
  CellType.DeleteFamilyVersion,
] as const

const TTL_ATTRIBUTE = '_ttl'
const RETURN_RESULTS_ATTRIBUTE = '_rr_'
const LONG_BYTES = 8

export interface MutationMessage {
  readonly kind: MutationKind
  readonly row: Buffer
  readonly cells: CellBlock
  readonly options: MutationOptions
  readonly timeRange: TimeRange | undefined
  /** 0n where the client sends none. */
  readonly nonce: bigint
  readonly returnResults: boolean
  /** True where the client reads tags of a result's cells. */
  readonly withTags: boolean
}

/** The mutation as the store takes it in a change of a row. */
export function operationOf(mutation: MutationMessage): RowOperation {
  const { kind, cells, options, timeRange, returnResults } = mutation
  if (kind === 'put' || kind === 'delete') return { kind: 'mutate', cells, options }
  return { kind, cells, options, returnResults, ...(timeRange !== undefined && { timeRange }) }
}

/** The fields of the message, before the cells are gathered. */
interface Fields {
  row: Buffer
  kind: MutationKind
  timestamp: bigint
  durability: Durability
  ttlMs: number | undefined
  attributes: Map<string, Buffer> | undefined
  timeRange: TimeRange | undefined
  cellCount: number | undefined
  nonce: bigint
  returnResults: boolean
  own: CellBlockBuilder | undefined
  readonly columns: MessageReader[]
}

/** Reads a mutation. Throws DO_NOT_RETRY and ILLEGAL_ARGUMENT where HBase refuses it, TOO_LARGE for too many cells. */
export function readMutation(reader: MessageReader, source: CellSource): MutationMessage {
  const fields = readFields(reader)
  const { kind, durability, ttlMs, attributes, timeRange, nonce, returnResults } = fields
  const block = fields.cellCount === undefined ? undefined : source.take(fields.cellCount)
  const row = rowOf(fields, block)
  const { takesTags: withTags } = source
  const cells = cellsOf(fields, row, block, source)
  const isUsual = durability === 'USE_DEFAULT' && ttlMs === undefined && attributes === undefined
  const options = isUsual
    ? DEFAULT_MUTATION_OPTIONS
    : {
        durability,
        ...(ttlMs !== undefined && { ttlMs }),
        ...(attributes !== undefined && { attributes }),
      }
  return { kind, row, cells, options, timeRange, nonce, returnResults, withTags }
}

function readFields(reader: MessageReader): Fields {
  const field = Field.Mutation
  const read: Fields = {
    row: EMPTY,
    kind: 'append',
    timestamp: LATEST_TIMESTAMP,
    durability: 'USE_DEFAULT',
    ttlMs: undefined,
    attributes: undefined,
    timeRange: undefined,
    cellCount: undefined,
    nonce: 0n,
    returnResults: true,
    own: undefined,
    columns: [],
  }
  while (reader.next()) {
    if (reader.field === field.row) read.row = reader.bytes()
    else if (reader.field === field.mutateType)
      read.kind = oneOf(MUTATION_KINDS, reader.uint32(), 'mutate_type')
    else if (reader.field === field.columnValue) read.columns.push(reader.message())
    else if (reader.field === field.timestamp) read.timestamp = BigInt.asIntN(64, reader.uint64())
    else if (reader.field === field.attribute) takeAttribute(reader.message(), read)
    else if (reader.field === field.durability) {
      read.durability = oneOf(DURABILITIES, reader.uint32(), 'durability')
    } else if (reader.field === field.timeRange) read.timeRange = readTimeRange(reader.message())
    else if (reader.field === field.associatedCellCount) read.cellCount = reader.int32()
    else if (reader.field === field.nonce) read.nonce = reader.uint64()
    else reader.skip()
  }
  return read
}

function oneOf<T>(values: readonly T[], number: number, field: string): T {
  const value = values[number]
  if (value === undefined) throw new HBaseError('DO_NOT_RETRY', `a mutation's ${field} is ${number}`)
  return value
}

function takeAttribute(reader: MessageReader, fields: Fields): void {
  const { name, value } = readAttribute(reader)
  if (name === TTL_ATTRIBUTE) fields.ttlMs = ttlOf(value)
  else if (name === RETURN_RESULTS_ATTRIBUTE) fields.returnResults = value.length === 0 || value[0] !== 0
  else {
    fields.attributes ??= new Map()
    fields.attributes.set(name, value)
  }
}

/** Reads a time to live in milliseconds. Bytes behind the first eight are ignored. HBase: Bytes.toLong. */
function ttlOf(value: Buffer): number {
  if (value.length >= LONG_BYTES) return Number(value.readBigInt64BE())
  throw new HBaseError(
    'ILLEGAL_ARGUMENT',
    `offset (0) + length (${LONG_BYTES}) exceed the capacity of the array: ${value.length}`,
  )
}

/** The row of the message, or that of its first cell where the message has none. Throws ILLEGAL_ARGUMENT for a row that HBase refuses. */
function rowOf({ row: stated }: Fields, block: CellBlock | undefined): Buffer {
  let row = stated
  if (row.length === 0 && block !== undefined && block.byteLength > 0) {
    const cursor = new CellCursor(block)
    cursor.next()
    row = cursor.parts().row
  }
  checkRow(row)
  return row
}

/**
 * Checks that all cells are of the mutation's row, and that those of a delete are delete markers. Returns true if any cell has tags.
 * HBase: Mutation.add, Delete.add.
 */
function checkCells(kind: MutationKind, row: Buffer, block: CellBlock): boolean {
  const cursor = new CellCursor(block)
  let haveTags = false
  while (cursor.next()) {
    haveTags ||= cursor.cell + cursor.cellLength > cursor.valueOffset + cursor.valueLength
    const { buffer, rowOffset, rowLength, type } = cursor
    if (!isStoredType(type) || (kind === 'delete' && type === CellType.Put)) throw oddType(kind, row, type)
    if (equalRange(row, 0, row.length, buffer, rowOffset, rowLength)) continue
    throw new HBaseError(
      'DO_NOT_RETRY',
      `The row in ${abbreviated(buffer.subarray(rowOffset, rowOffset + rowLength))} doesn't match the original one ${abbreviated(row)}`,
      { javaClass: 'org.apache.hadoop.hbase.client.WrongRowIOException' },
    )
  }
  return haveTags
}

/** Throws ILLEGAL_ARGUMENT for bytes behind a cell that are no tags. */
function checkTags(block: CellBlock): void {
  const cursor = new CellCursor(block)
  while (cursor.next()) {
    const { buffer, tags, tagsOffset } = cursor
    const stated = tagsOffset - TAGS_LENGTH_BYTES
    const isWhole =
      stated === cursor.cell + cursor.cellLength ||
      (tags.length > 0 && buffer.readUInt16BE(stated) === tags.length && areTags(tags))
    if (!isWhole) throw new HBaseError('ILLEGAL_ARGUMENT', 'the bytes behind the value of a cell are no tags')
  }
}

/** The refusal of a cell type. HBase stores any type in a put, but its clients then fail when they read the cell. */
function oddType(kind: MutationKind, row: Buffer, type: number): HBaseError {
  if (kind !== 'delete') return new HBaseError('DO_NOT_RETRY', `a cell's type is ${type}`)
  const reason = 'The recently added KeyValue is not of type delete'
  return new HBaseError('REFUSED', `${reason}. Rowkey: ${abbreviated(row)}`)
}

function cellsOf(
  { kind, columns, timestamp }: Fields,
  row: Buffer,
  block: CellBlock | undefined,
  source: CellSource,
): CellBlock {
  const { takesTags } = source
  if (block !== undefined && block.byteLength > 0) {
    const haveTags = checkCells(kind, row, block)
    if (haveTags && takesTags) checkTags(block)
    if (columns.length === 0 && (takesTags || !haveTags)) return block
  }
  const builder = new CellBlockBuilder(undefined, source.roomBytes)
  if (block !== undefined) {
    const cursor = new CellCursor(block)
    while (cursor.next()) {
      const bytes = takesTags ? cursor.cellLength : cursor.valueOffset + cursor.valueLength - cursor.cell
      builder.appendCell(cursor.buffer, cursor.cell, bytes)
    }
  }
  for (const column of columns) readColumnValue(column, { kind, row, timestamp }, builder)
  // A Delete without cells deletes the row.
  if (builder.count === 0 && kind === 'delete') {
    append(builder, row, { family: EMPTY, qualifier: EMPTY, timestamp, type: CellType.DeleteFamily })
  }
  source.noteMade(builder.length)
  return builder.block()
}

interface CellFields {
  readonly family: Buffer
  readonly qualifier: Buffer
  readonly timestamp: bigint
  readonly type: number
  readonly value?: Buffer
}

function append(builder: CellBlockBuilder, row: Buffer, cell: CellFields): void {
  const { family, qualifier, timestamp, type, value = EMPTY } = cell
  builder.append(row, family, qualifier, timestampHigh(timestamp), timestampLow(timestamp), type, value)
}

/** Reads the columns that clients without a cell block send, and adds their cells. */
function readColumnValue(
  reader: MessageReader,
  mutation: { readonly kind: MutationKind; readonly row: Buffer; readonly timestamp: bigint },
  into: CellBlockBuilder,
): void {
  let family = EMPTY
  const values: MessageReader[] = []
  while (reader.next()) {
    if (reader.field === Field.ColumnValue.family) family = reader.bytes()
    else if (reader.field === Field.ColumnValue.qualifierValue) values.push(reader.message())
    else reader.skip()
  }
  for (const each of values) append(into, mutation.row, readQualifierValue(each, family, mutation))
}

function readQualifierValue(
  reader: MessageReader,
  family: Buffer,
  mutation: { readonly kind: MutationKind; readonly timestamp: bigint },
): CellFields {
  const field = Field.QualifierValue
  let qualifier = EMPTY
  let value: Buffer | undefined
  let { timestamp } = mutation
  let deleteType: number | undefined
  while (reader.next()) {
    if (reader.field === field.qualifier) qualifier = reader.bytes()
    else if (reader.field === field.value) value = reader.bytes()
    else if (reader.field === field.timestamp) timestamp = BigInt.asIntN(64, reader.uint64())
    else if (reader.field === field.deleteType) deleteType = reader.uint32()
    else reader.skip()
  }
  if (deleteType !== undefined) {
    const type = oneOf(DELETE_TYPES, deleteType, 'delete_type')
    // HBase: ProtobufUtil.toDelete, which adds the family alone.
    const isOfFamily = type === CellType.DeleteFamily || type === CellType.DeleteFamilyVersion
    return { family, qualifier: isOfFamily ? EMPTY : qualifier, timestamp, type }
  }
  if (mutation.kind === 'delete') {
    return { family, qualifier, timestamp, type: CellType.Delete }
  }
  if (value === undefined && mutation.kind !== 'increment') {
    throw new HBaseError('DO_NOT_RETRY', 'Missing required field: qualifier value')
  }
  return { family, qualifier, timestamp, type: CellType.Put, value: value ?? EMPTY }
}
