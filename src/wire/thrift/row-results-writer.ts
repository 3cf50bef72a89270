/** Encodes cells as the IDLs' TRowResult, TCell and TResult, bytes to bytes. */

import { equalRange } from '../../model/bytes.ts'
import type { CellParts } from '../../model/cell.ts'
import { CellCursor } from '../../model/cell-block.ts'
import { gathered, type ScannedResults } from '../../model/results.ts'
import { timestampHigh, timestampLow } from '../../model/timestamp.ts'
import { ViewedBytes } from '../../model/viewed-bytes.ts'
import { writeBinaryRows } from './binary-rows.ts'
import { type ProtocolWriter, WireType } from './protocol.ts'
import type { RowResults } from './row-results.ts'

const COLON = 0x3a
const COLON_BYTES = Buffer.of(COLON)
/** Upper bounds of a row's and a cell's bytes in an answer, beyond the bytes of the cells. */
const ROW_HEAD_BYTES = 64
const CELL_HEAD_BYTES = 24

export type RowResultsWriter = (writer: ProtocolWriter, rows: RowResults) => void

/** `list<TRowResult>` of Thrift 1. */
export function writeRowResults(writer: ProtocolWriter, rows: RowResults): void {
  const { binaryOutput } = writer
  if (binaryOutput !== undefined && !rows.sortColumns && writeBinaryRows(binaryOutput, rows.results)) return
  const results = gathered(rows.results)
  const { cells, counts } = results
  let found = 0
  for (const count of counts) if (count > 0) found++
  writer.reserve(encodedBytesMax(results))
  writer.writeListBegin(WireType.STRUCT, found)
  const source = new ViewedBytes(cells.buffer)
  const cursor = new CellCursor(cells)
  const ahead = rows.sortColumns ? undefined : new CellCursor(cells)
  for (const count of counts) {
    if (count === 0) continue
    cursor.next()
    writer.writeStructBegin()
    writer.writeFieldBegin(WireType.STRING, 1)
    writer.writeSpan(source, cursor.rowOffset, cursor.rowLength)
    if (ahead === undefined) writeSortedColumns(writer, source, cursor, count)
    else writeColumns(writer, source, cursor, count, countColumns(ahead, count))
    writer.writeStructEnd()
  }
}

/** `list<TCell>` of Thrift 1. */
export function writeCells(writer: ProtocolWriter, rows: RowResults): void {
  const results = gathered(rows.results)
  let count = 0
  for (const each of results.counts) count += each
  writer.reserve(encodedBytesMax(results))
  writer.writeListBegin(WireType.STRUCT, count)
  const source = new ViewedBytes(results.cells.buffer)
  const cursor = new CellCursor(results.cells)
  while (cursor.next()) writeCell(writer, source, cursor)
}

/** `TResult` of Thrift 2, from the first result. */
export function writeResult(writer: ProtocolWriter, rows: RowResults): void {
  const results = gathered(rows.results)
  writer.reserve(encodedBytesMax(results))
  const count = results.counts[0] ?? 0
  const source = new ViewedBytes(results.cells.buffer)
  writeColumnValues(writer, source, new CellCursor(results.cells), count, flagsOf(rows, 0))
}

/** `list<TResult>` of Thrift 2. */
export function writeResults(writer: ProtocolWriter, rows: RowResults): void {
  const results = gathered(rows.results)
  const { cells, counts } = results
  writer.reserve(encodedBytesMax(results))
  writer.writeListBegin(WireType.STRUCT, counts.length)
  const source = new ViewedBytes(cells.buffer)
  const cursor = new CellCursor(cells)
  for (let i = 0; i < counts.length; i++) {
    writeColumnValues(writer, source, cursor, counts[i]!, flagsOf(rows, i))
  }
}

/** An upper bound of the bytes of an answer, in both protocols. */
export function encodedBytesMax({ cells, counts }: ScannedResults): number {
  let count = 0
  for (const each of counts) count += each
  return cells.byteLength + counts.length * ROW_HEAD_BYTES + count * CELL_HEAD_BYTES
}

/** The cursor stands on the row's first cell. */
function writeSortedColumns(
  writer: ProtocolWriter,
  source: ViewedBytes,
  cursor: CellCursor,
  count: number,
): void {
  writer.writeFieldBegin(WireType.LIST, 3)
  writer.writeListBegin(WireType.STRUCT, count)
  for (let i = 0; i < count; i++) {
    if (i > 0) cursor.next()
    writeSortedColumn(writer, source, cursor)
  }
}

export function writeSortedColumn(writer: ProtocolWriter, source: ViewedBytes, cursor: CellCursor): void {
  writer.writeStructBegin()
  writer.writeFieldBegin(WireType.STRING, 1)
  writeColumnName(writer, source, cursor)
  writer.writeFieldBegin(WireType.STRUCT, 2)
  writeCell(writer, source, cursor)
  writer.writeStructEnd()
}

/** The cursor stands on the row's first cell. */
function writeColumns(
  writer: ProtocolWriter,
  source: ViewedBytes,
  cursor: CellCursor,
  count: number,
  columns: number,
): void {
  writer.writeFieldBegin(WireType.MAP, 2)
  writer.writeMapBegin(WireType.STRING, WireType.STRUCT, columns)
  if (columns < count) {
    writeLastVersions(writer, cursor, count)
    return
  }
  writeColumnName(writer, source, cursor)
  writeCell(writer, source, cursor)
  for (let i = 1; i < count; i++) {
    cursor.next()
    writeColumnName(writer, source, cursor)
    writeCell(writer, source, cursor)
  }
}

/** Counts the different columns among the next `count` cells. */
function countColumns(cursor: CellCursor, count: number): number {
  cursor.next()
  let columns = 1
  for (let i = 1; i < count; i++) if (!movesWithinColumn(cursor)) columns++
  return columns
}

/** Moves to the next cell; returns whether that is of the same column. */
export function movesWithinColumn(cursor: CellCursor): boolean {
  const { familyOffset, familyLength, qualifierLength } = cursor
  cursor.next()
  return (
    familyLength === cursor.familyLength &&
    equalRange(
      cursor.buffer,
      familyOffset,
      familyLength + qualifierLength,
      cursor.buffer,
      cursor.familyOffset,
      cursor.familyLength + cursor.qualifierLength,
    )
  )
}

function writeLastVersions(writer: ProtocolWriter, cursor: CellCursor, count: number): void {
  const cells: CellParts[] = [cursor.parts()]
  while (cells.length < count && cursor.next()) cells.push(cursor.parts())
  for (const [i, cell] of cells.entries()) {
    const next = cells[i + 1]
    if (next?.family.equals(cell.family) && next.qualifier.equals(cell.qualifier)) continue
    writer.writeBinary(Buffer.concat([cell.family, COLON_BYTES, cell.qualifier]))
    writer.writeStructBegin()
    writer.writeFieldBegin(WireType.STRING, 1)
    writer.writeBinary(cell.value)
    writer.writeFieldBegin(WireType.I64, 2)
    writer.writeI64Halves(timestampHigh(cell.timestamp), timestampLow(cell.timestamp))
    writer.writeStructEnd()
  }
}

export function writeColumnName(writer: ProtocolWriter, source: ViewedBytes, cursor: CellCursor): void {
  const { familyOffset, familyLength, qualifierLength } = cursor
  writer.writeLength(familyLength + 1 + qualifierLength)
  writer.writeBytes(source, familyOffset, familyLength)
  writer.writeI8(COLON)
  writer.writeBytes(source, cursor.qualifierOffset, qualifierLength)
}

export function writeCell(writer: ProtocolWriter, source: ViewedBytes, cursor: CellCursor): void {
  writer.writeStructBegin()
  writer.writeFieldBegin(WireType.STRING, 1)
  writer.writeSpan(source, cursor.valueOffset, cursor.valueLength)
  writer.writeFieldBegin(WireType.I64, 2)
  writer.writeI64Halves(cursor.timestampHigh, cursor.timestampLow)
  writer.writeStructEnd()
}

export interface ResultFlags {
  readonly isStale: boolean
  readonly isPartial: boolean
}

export function flagsOf({ isStale, partial }: RowResults, index: number): ResultFlags {
  const ofResult = typeof isStale === 'boolean' ? isStale : isStale[index] === true
  return { isStale: ofResult, isPartial: partial?.[index] ?? false }
}

function writeColumnValues(
  writer: ProtocolWriter,
  source: ViewedBytes,
  cursor: CellCursor,
  count: number,
  flags: ResultFlags,
): void {
  if (count > 0) cursor.next()
  beginColumnValues(writer, source, cursor, count)
  for (let i = 0; i < count; i++) {
    if (i > 0) cursor.next()
    writeColumnValue(writer, source, cursor)
  }
  endColumnValues(writer, flags)
}

/** A TResult up to its first column; the cursor stands on that, if there is one. */
export function beginColumnValues(
  writer: ProtocolWriter,
  source: ViewedBytes,
  cursor: CellCursor,
  count: number,
): void {
  writer.writeStructBegin()
  if (count > 0) {
    writer.writeFieldBegin(WireType.STRING, 1)
    writer.writeSpan(source, cursor.rowOffset, cursor.rowLength)
  }
  writer.writeFieldBegin(WireType.LIST, 2)
  writer.writeListBegin(WireType.STRUCT, count)
}

export function endColumnValues(writer: ProtocolWriter, { isStale, isPartial }: ResultFlags): void {
  writer.writeBoolField(3, isStale)
  writer.writeBoolField(4, isPartial)
  writer.writeStructEnd()
}

export function writeColumnValue(writer: ProtocolWriter, source: ViewedBytes, cursor: CellCursor): void {
  writer.writeStructBegin()
  writer.writeFieldBegin(WireType.STRING, 1)
  writer.writeSpan(source, cursor.familyOffset, cursor.familyLength)
  writer.writeFieldBegin(WireType.STRING, 2)
  writer.writeSpan(source, cursor.qualifierOffset, cursor.qualifierLength)
  writer.writeFieldBegin(WireType.STRING, 3)
  writer.writeSpan(source, cursor.valueOffset, cursor.valueLength)
  writer.writeFieldBegin(WireType.I64, 4)
  writer.writeI64Halves(cursor.timestampHigh, cursor.timestampLow)
  writer.writeFieldBegin(WireType.I8, 6)
  writer.writeI8(cursor.type)
  writer.writeStructEnd()
}
