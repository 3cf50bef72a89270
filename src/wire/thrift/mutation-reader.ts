/**
 * Mutations from the wire's bytes to cells' bytes. Each function here answers undefined for what is not plain: a row
 * or column that HBase refuses, attributes, a field that comes out of turn. The caller then reads objects instead.
 */

import { CELL_HEADER_BYTES, CellType, cellBytes, FAMILY_BYTES_MAX, ROW_BYTES_MAX } from '../../model/cell.ts'
import { CELL_PREFIX_BYTES } from '../../model/cell-block.ts'
import { MutationBatch, type MutationOptions } from '../../model/mutation.ts'
import { stampCells } from '../../model/stamp-cells.ts'
import { LATEST_HIGH, LATEST_LOW } from '../../model/timestamp.ts'
import { copyViewed, ViewedBytes } from '../../model/viewed-bytes.ts'
import { type ProtocolReader, WireType } from './protocol.ts'
import type { ThriftObject } from './value-codec.ts'

const COLON = 0x3a
const LOGGED: MutationOptions = { durability: 'SYNC_WAL' }
const NOT_LOGGED: MutationOptions = { durability: 'SKIP_WAL' }
/** By the numbers of TDurability. */
const DURABILITIES: readonly MutationOptions[] = (
  ['USE_DEFAULT', 'SKIP_WAL', 'ASYNC_WAL', 'SYNC_WAL', 'FSYNC_WAL'] as const
).map((durability) => ({ durability }))

/** The fields of the Mutation or TColumnValue that was read last, as offsets in the message; -1: not sent. */
class ColumnFields {
  familyStart = -1
  familyLength = 0
  qualifierStart = -1
  qualifierLength = 0
  valueStart = -1
  valueLength = 0
  isDelete = false
  isLogged = true
  hasTimestamp = false
  high = LATEST_HIGH
  low = LATEST_LOW

  clear(): void {
    this.familyStart = -1
    this.qualifierStart = -1
    this.valueStart = -1
    this.valueLength = 0
    this.isDelete = false
    this.isLogged = true
    this.hasTimestamp = false
    this.high = LATEST_HIGH
    this.low = LATEST_LOW
  }
}

const column = new ColumnFields()

/** A batch that is being filled, with a view of the buffer that its cells are in at present. */
class Sink {
  readonly batch: MutationBatch
  viewed: ViewedBytes

  constructor(capacityBytes: number) {
    this.batch = new MutationBatch(capacityBytes)
    this.viewed = new ViewedBytes(this.batch.cells.buffer)
  }

  /** Makes room for `bytes` more; returns where they may be written. */
  reserve(bytes: number): number {
    const { cells } = this.batch
    const at = cells.reserve(bytes)
    if (cells.buffer !== this.viewed.buffer) this.viewed = new ViewedBytes(cells.buffer)
    return at
  }
}

/** `list<Mutation>` of one row: deletes are applied before puts. */
export function readMutations(reader: ProtocolReader, owner: ThriftObject): MutationBatch | undefined {
  const row = owner['row'] as Buffer | undefined
  if (row === undefined || !isRowLength(row.length)) return undefined
  const puts = new Sink(capacityFor(reader))
  const deletes = new Sink(0)
  if (!readMutationsOfRow(reader, new ViewedBytes(row), 0, row.length, puts, deletes)) return undefined
  if (deletes.batch.length === 0) return puts.batch
  appendBatch(deletes.batch, puts.batch)
  return deletes.batch
}

/** `list<BatchMutation>`: the puts of all rows are applied before the deletes. */
export function readRowBatches(reader: ProtocolReader): MutationBatch | undefined {
  const count = reader.readListBegin()
  if (count > 0 && reader.elementType !== WireType.STRUCT) return undefined
  const puts = new Sink(capacityFor(reader))
  const deletes = new Sink(0)
  for (let i = 0; i < count; i++) {
    if (!readRowBatch(reader, puts, deletes)) return undefined
  }
  appendBatch(puts.batch, deletes.batch)
  return puts.batch
}

/** `TPut`. */
export function readPut(reader: ProtocolReader): MutationBatch | undefined {
  const sink = new Sink(capacityFor(reader))
  return readPutInto(reader, sink) ? sink.batch : undefined
}

/** `list<TPut>`. */
export function readPuts(reader: ProtocolReader): MutationBatch | undefined {
  const count = reader.readListBegin()
  if (count > 0 && reader.elementType !== WireType.STRUCT) return undefined
  const sink = new Sink(capacityFor(reader))
  for (let i = 0; i < count; i++) {
    if (!readPutInto(reader, sink)) return undefined
  }
  return sink.batch
}

/** Cells take about as many bytes as what they come from. */
function capacityFor(reader: ProtocolReader): number {
  return reader.limit - reader.position + 64
}

function isRowLength(length: number): boolean {
  return length > 0 && length <= ROW_BYTES_MAX
}

function appendBatch(target: MutationBatch, source: MutationBatch): void {
  if (source.length === 0) return
  const { cells } = target
  const shift = cells.reserve(source.cells.length)
  source.cells.buffer.copy(cells.buffer, shift, 0, source.cells.length)
  cells.length += source.cells.length
  cells.count += source.cells.count
  for (const end of source.ends) target.ends.push(end + shift)
  target.options.push(...source.options)
}

function readRowBatch(reader: ProtocolReader, puts: Sink, deletes: Sink): boolean {
  let rowStart = 0
  let rowLength = 0
  reader.readStructBegin()
  for (;;) {
    const type = reader.readFieldBegin()
    if (type === WireType.STOP) break
    if (reader.fieldId === 1 && type === WireType.STRING) {
      rowLength = reader.readSpan()
      rowStart = reader.spanStart
    } else if (reader.fieldId === 2 && type === WireType.LIST) {
      if (!isRowLength(rowLength)) return false
      if (!readMutationsOfRow(reader, reader.viewed, rowStart, rowLength, puts, deletes)) return false
    } else {
      reader.skip(type)
    }
  }
  reader.readStructEnd()
  return isRowLength(rowLength)
}

function readMutationsOfRow(
  reader: ProtocolReader,
  row: ViewedBytes,
  rowStart: number,
  rowLength: number,
  puts: Sink,
  deletes: Sink,
): boolean {
  const count = reader.readListBegin()
  if (count > 0 && reader.elementType !== WireType.STRUCT) return false
  const source = reader.viewed
  const putsBefore = puts.batch.cells.length
  const deletesBefore = deletes.batch.cells.length
  let putsLogged = true
  let deletesLogged = true
  for (let i = 0; i < count; i++) {
    readMutation(reader)
    if (column.familyStart < 0 || !splitColumn(reader.buffer)) return false
    if (column.isDelete) {
      const wholeFamily = column.qualifierStart < 0
      const type = wholeFamily ? CellType.DeleteFamily : CellType.DeleteColumn
      column.valueLength = 0
      appendCell(deletes, row, rowStart, rowLength, source, type)
      deletesLogged = column.isLogged
    } else {
      if (column.qualifierStart < 0) return false
      appendCell(puts, row, rowStart, rowLength, source, CellType.Put)
      putsLogged = column.isLogged
    }
  }
  // The last mutation of each kind says how all of the row's are logged, as in HBase.
  if (puts.batch.cells.length > putsBefore) puts.batch.endMutation(putsLogged ? LOGGED : NOT_LOGGED)
  if (deletes.batch.cells.length > deletesBefore)
    deletes.batch.endMutation(deletesLogged ? LOGGED : NOT_LOGGED)
  return true
}

/** The whole column name is put where the family's is. */
function readMutation(reader: ProtocolReader): void {
  column.clear()
  reader.readStructBegin()
  for (;;) {
    const type = reader.readFieldBegin()
    if (type === WireType.STOP) break
    const id = reader.fieldId
    if (id === 2 && type === WireType.STRING) {
      column.familyLength = reader.readSpan()
      column.familyStart = reader.spanStart
    } else if (id === 3 && type === WireType.STRING) {
      column.valueLength = reader.readSpan()
      column.valueStart = reader.spanStart
    } else if (id === 1 && type === WireType.BOOL) {
      column.isDelete = reader.readBool()
    } else if (id === 4 && type === WireType.BOOL) {
      column.isLogged = reader.readBool()
    } else {
      reader.skip(type)
    }
  }
  reader.readStructEnd()
}

/** At the first colon; without one the whole name is the family's. False where the family is none. */
function splitColumn(buffer: Buffer): boolean {
  const start = column.familyStart
  const end = start + column.familyLength
  let colon = start
  while (colon < end && buffer[colon] !== COLON) colon++
  if (colon < end) {
    column.qualifierStart = colon + 1
    column.qualifierLength = end - colon - 1
    column.familyLength = colon - start
  } else {
    column.qualifierLength = 0
  }
  return column.familyLength > 0 && column.familyLength <= FAMILY_BYTES_MAX
}

function readPutInto(reader: ProtocolReader, sink: Sink): boolean {
  const { batch } = sink
  const start = batch.cells.length
  const countBefore = batch.cells.count
  let rowStart = 0
  let rowLength = 0
  let ownTimestamps = 0
  let timestamp: bigint | undefined
  let options = DURABILITIES[0]!
  reader.readStructBegin()
  for (;;) {
    const type = reader.readFieldBegin()
    if (type === WireType.STOP) break
    const id = reader.fieldId
    if (id === 1 && type === WireType.STRING) {
      rowLength = reader.readSpan()
      rowStart = reader.spanStart
    } else if (id === 2 && type === WireType.LIST) {
      if (batch.cells.length > start || !isRowLength(rowLength)) return false
      ownTimestamps = readColumnValues(reader, rowStart, rowLength, sink)
      if (ownTimestamps < 0) return false
    } else if (id === 3 && type === WireType.I64) {
      timestamp = reader.readI64()
      if (timestamp < 0n) return false
    } else if (id === 6 && type === WireType.I32) {
      const durability = DURABILITIES[reader.readI32()]
      if (durability === undefined) return false
      options = durability
    } else if (id === 5 || id === 7) {
      return false
    } else {
      reader.skip(type)
    }
  }
  reader.readStructEnd()
  if (batch.cells.length === start) return false
  batch.endMutation(options)
  if (timestamp === undefined) return true
  if (ownTimestamps === 0) stampCells(batch, start, timestamp)
  return ownTimestamps === 0 || ownTimestamps === batch.cells.count - countBefore
}

/** How many of the cells have a timestamp of their own; -1: they are not plain. */
function readColumnValues(reader: ProtocolReader, rowStart: number, rowLength: number, sink: Sink): number {
  const count = reader.readListBegin()
  if (count > 0 && reader.elementType !== WireType.STRUCT) return -1
  const source = reader.viewed
  let ownTimestamps = 0
  for (let i = 0; i < count; i++) {
    readColumnValue(reader)
    if (column.familyStart < 0 || column.qualifierStart < 0 || column.valueStart < 0) return -1
    if (column.familyLength === 0 || column.familyLength > FAMILY_BYTES_MAX || column.high < 0) return -1
    if (column.hasTimestamp) ownTimestamps++
    appendCell(sink, source, rowStart, rowLength, source, CellType.Put)
  }
  return ownTimestamps
}

function readColumnValue(reader: ProtocolReader): void {
  column.clear()
  reader.readStructBegin()
  for (;;) {
    const type = reader.readFieldBegin()
    if (type === WireType.STOP) break
    const id = reader.fieldId
    if (id === 1 && type === WireType.STRING) {
      column.familyLength = reader.readSpan()
      column.familyStart = reader.spanStart
    } else if (id === 2 && type === WireType.STRING) {
      column.qualifierLength = reader.readSpan()
      column.qualifierStart = reader.spanStart
    } else if (id === 3 && type === WireType.STRING) {
      column.valueLength = reader.readSpan()
      column.valueStart = reader.spanStart
    } else if (id === 4 && type === WireType.I64) {
      reader.readI64Halves()
      column.hasTimestamp = true
      column.high = reader.high
      column.low = reader.low
    } else {
      reader.skip(type)
    }
  }
  reader.readStructEnd()
}

/** The cell of `column`, whose bytes are in `source`. */
function appendCell(
  sink: Sink,
  row: ViewedBytes,
  rowStart: number,
  rowLength: number,
  source: ViewedBytes,
  type: number,
): void {
  const { familyLength, qualifierLength, valueLength } = column
  const bytes = cellBytes(rowLength, familyLength, qualifierLength, valueLength)
  const prefix = sink.reserve(CELL_PREFIX_BYTES + bytes)
  const { viewed } = sink
  const { view } = viewed
  view.setInt32(prefix, bytes)
  view.setInt32(prefix + 4, bytes - CELL_HEADER_BYTES - valueLength)
  view.setInt32(prefix + 8, valueLength)
  view.setInt16(prefix + 12, rowLength)
  let at = copyViewed(row, rowStart, rowLength, viewed, prefix + 14)
  view.setUint8(at++, familyLength)
  at = copyViewed(source, column.familyStart, familyLength, viewed, at)
  at = copyViewed(source, column.qualifierStart, qualifierLength, viewed, at)
  view.setInt32(at, column.high)
  view.setInt32(at + 4, column.low)
  view.setUint8(at + 8, type)
  const { cells } = sink.batch
  cells.length = copyViewed(source, column.valueStart, valueLength, viewed, at + 9)
  cells.count++
}
