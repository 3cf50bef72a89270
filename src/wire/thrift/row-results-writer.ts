/** Rows from cells, bytes to bytes: what the IDLs call TRowResult, TCell and TResult. */

import { equalRange } from '../../model/bytes.ts'
import type { CellParts } from '../../model/cell.ts'
import { CellCursor } from '../../model/cell-block.ts'
import { timestampHigh, timestampLow } from '../../model/timestamp.ts'
import { type ProtocolWriter, WireType } from './protocol.ts'
import type { RowResults } from './row-results.ts'

const COLON = 0x3a
/** More than the heads of a row, and of a cell, take beyond the bytes of the cells. */
const ROW_HEAD_BYTES = 64
const CELL_HEAD_BYTES = 24

export type RowResultsWriter = (writer: ProtocolWriter, rows: RowResults) => void

/** `list<TRowResult>` of Thrift 1. */
export function writeRowResults(writer: ProtocolWriter, rows: RowResults): void {
  const { cells, counts } = rows.results
  let found = 0
  for (const count of counts) if (count > 0) found++
  reserve(writer, rows)
  writer.writeListBegin(WireType.STRUCT, found)
  const cursor = new CellCursor(cells)
  const ahead = rows.sortColumns ? undefined : new CellCursor(cells)
  for (const count of counts) {
    if (count === 0) continue
    cursor.next()
    writer.writeStructBegin()
    writer.writeFieldBegin(WireType.STRING, 1)
    writer.writeSpan(cursor.buffer, cursor.rowOffset, cursor.rowLength)
    if (ahead === undefined) writeSortedColumns(writer, cursor, count)
    else writeColumns(writer, cursor, count, columnsOf(ahead, count))
    writer.writeStructEnd()
  }
}

/** `list<TCell>` of Thrift 1. */
export function writeCells(writer: ProtocolWriter, rows: RowResults): void {
  let count = 0
  for (const each of rows.results.counts) count += each
  reserve(writer, rows)
  writer.writeListBegin(WireType.STRUCT, count)
  const cursor = new CellCursor(rows.results.cells)
  while (cursor.next()) writeCell(writer, cursor)
}

/** `TResult` of Thrift 2: the first result. */
export function writeResult(writer: ProtocolWriter, rows: RowResults): void {
  reserve(writer, rows)
  const count = rows.results.counts[0] ?? 0
  writeColumnValues(writer, new CellCursor(rows.results.cells), count, rows.partial?.[0] ?? false)
}

/** `list<TResult>` of Thrift 2. */
export function writeResults(writer: ProtocolWriter, rows: RowResults): void {
  const { cells, counts } = rows.results
  reserve(writer, rows)
  writer.writeListBegin(WireType.STRUCT, counts.length)
  const cursor = new CellCursor(cells)
  for (let i = 0; i < counts.length; i++) {
    writeColumnValues(writer, cursor, counts[i]!, rows.partial?.[i] ?? false)
  }
}

function reserve(writer: ProtocolWriter, { results }: RowResults): void {
  let count = 0
  for (const each of results.counts) count += each
  writer.reserve(results.cells.byteLength + results.counts.length * ROW_HEAD_BYTES + count * CELL_HEAD_BYTES)
}

/** The cursor stands on the row's first cell. */
function writeSortedColumns(writer: ProtocolWriter, cursor: CellCursor, count: number): void {
  writer.writeFieldBegin(WireType.LIST, 3)
  writer.writeListBegin(WireType.STRUCT, count)
  for (let i = 0; i < count; i++) {
    if (i > 0) cursor.next()
    writer.writeStructBegin()
    writer.writeFieldBegin(WireType.STRING, 1)
    writeColumnName(writer, cursor)
    writer.writeFieldBegin(WireType.STRUCT, 2)
    writeCell(writer, cursor)
    writer.writeStructEnd()
  }
}

/** The cursor stands on the row's first cell. */
function writeColumns(writer: ProtocolWriter, cursor: CellCursor, count: number, columns: number): void {
  writer.writeFieldBegin(WireType.MAP, 2)
  writer.writeMapBegin(WireType.STRING, WireType.STRUCT, columns)
  if (columns < count) {
    writeLastVersions(writer, cursor, count)
    return
  }
  writeColumnName(writer, cursor)
  writeCell(writer, cursor)
  for (let i = 1; i < count; i++) {
    cursor.next()
    writeColumnName(writer, cursor)
    writeCell(writer, cursor)
  }
}

/** The number of different columns among the next `count` cells. */
function columnsOf(cursor: CellCursor, count: number): number {
  cursor.next()
  let columns = 1
  for (let i = 1; i < count; i++) {
    const { familyOffset, familyLength, qualifierLength } = cursor
    cursor.next()
    const same =
      familyLength === cursor.familyLength &&
      equalRange(
        cursor.buffer,
        familyOffset,
        familyLength + qualifierLength,
        cursor.buffer,
        cursor.familyOffset,
        cursor.familyLength + cursor.qualifierLength,
      )
    if (!same) columns++
  }
  return columns
}

function writeLastVersions(writer: ProtocolWriter, cursor: CellCursor, count: number): void {
  const cells: CellParts[] = [cursor.parts()]
  while (cells.length < count && cursor.next()) cells.push(cursor.parts())
  for (const [i, cell] of cells.entries()) {
    const next = cells[i + 1]
    if (next?.family.equals(cell.family) && next.qualifier.equals(cell.qualifier)) continue
    writer.writeLength(cell.family.length + 1 + cell.qualifier.length)
    writer.writeBytes(cell.family, 0, cell.family.length)
    writer.writeI8(COLON)
    writer.writeBytes(cell.qualifier, 0, cell.qualifier.length)
    writer.writeStructBegin()
    writer.writeFieldBegin(WireType.STRING, 1)
    writer.writeSpan(cell.value, 0, cell.value.length)
    writer.writeFieldBegin(WireType.I64, 2)
    writer.writeI64Halves(timestampHigh(cell.timestamp), timestampLow(cell.timestamp))
    writer.writeStructEnd()
  }
}

function writeColumnName(writer: ProtocolWriter, cursor: CellCursor): void {
  const { buffer, familyOffset, familyLength, qualifierLength } = cursor
  writer.writeLength(familyLength + 1 + qualifierLength)
  writer.writeBytes(buffer, familyOffset, familyLength)
  writer.writeI8(COLON)
  writer.writeBytes(buffer, cursor.qualifierOffset, qualifierLength)
}

function writeCell(writer: ProtocolWriter, cursor: CellCursor): void {
  writer.writeStructBegin()
  writer.writeFieldBegin(WireType.STRING, 1)
  writer.writeSpan(cursor.buffer, cursor.valueOffset, cursor.valueLength)
  writer.writeFieldBegin(WireType.I64, 2)
  writer.writeI64Halves(cursor.timestampHigh, cursor.timestampLow)
  writer.writeStructEnd()
}

function writeColumnValues(
  writer: ProtocolWriter,
  cursor: CellCursor,
  count: number,
  partial: boolean,
): void {
  writer.writeStructBegin()
  if (count > 0) {
    cursor.next()
    writer.writeFieldBegin(WireType.STRING, 1)
    writer.writeSpan(cursor.buffer, cursor.rowOffset, cursor.rowLength)
  }
  writer.writeFieldBegin(WireType.LIST, 2)
  writer.writeListBegin(WireType.STRUCT, count)
  for (let i = 0; i < count; i++) {
    if (i > 0) cursor.next()
    writeColumnValue(writer, cursor)
  }
  writer.writeBoolField(3, false)
  writer.writeBoolField(4, partial)
  writer.writeStructEnd()
}

function writeColumnValue(writer: ProtocolWriter, cursor: CellCursor): void {
  const { buffer } = cursor
  writer.writeStructBegin()
  writer.writeFieldBegin(WireType.STRING, 1)
  writer.writeSpan(buffer, cursor.familyOffset, cursor.familyLength)
  writer.writeFieldBegin(WireType.STRING, 2)
  writer.writeSpan(buffer, cursor.qualifierOffset, cursor.qualifierLength)
  writer.writeFieldBegin(WireType.STRING, 3)
  writer.writeSpan(buffer, cursor.valueOffset, cursor.valueLength)
  writer.writeFieldBegin(WireType.I64, 4)
  writer.writeI64Halves(cursor.timestampHigh, cursor.timestampLow)
  writer.writeFieldBegin(WireType.I8, 6)
  writer.writeI8(cursor.type)
  writer.writeStructEnd()
}
