/** Thrift 2's results as clients read them: straight into a cell block, without an object for a cell. */

import { writeInt32 } from '../../model/bytes.ts'
import { CellType, cellBytes, FAMILY_BYTES_MAX, isRowLength, KEY_FIXED_BYTES } from '../../model/cell.ts'
import { CELL_PREFIX_BYTES, type CellBlock, CellBlockBuilder } from '../../model/cell-block.ts'
import { type ProtocolReader, ThriftProtocolError, WireType } from './protocol.ts'

export interface ReadResults {
  readonly cells: CellBlock
  /** Cells of each result. */
  readonly counts: readonly number[]
}

/** `list<TResult>`. */
export function readResults(reader: ProtocolReader): ReadResults {
  const cells = new CellBlockBuilder(reader.limit - reader.position + 64)
  const counts: number[] = []
  const count = reader.readListBegin()
  if (count > 0 && reader.elementType !== WireType.STRUCT) throw notAResult('a list of other things')
  for (let i = 0; i < count; i++) counts.push(readInto(reader, cells))
  return { cells: cells.block(), counts }
}

/** `TResult`. */
export function readResult(reader: ProtocolReader): ReadResults {
  const cells = new CellBlockBuilder(reader.limit - reader.position + 64)
  const count = readInto(reader, cells)
  return { cells: cells.block(), counts: [count] }
}

/** The row stands before the cells, as every server writes it. */
function readInto(reader: ProtocolReader, cells: CellBlockBuilder): number {
  let [row, rowLength, count] = [0, 0, 0]
  reader.readStructBegin()
  for (let type = reader.readFieldBegin(); type !== WireType.STOP; type = reader.readFieldBegin()) {
    if (reader.fieldId === 1 && type === WireType.STRING) {
      rowLength = reader.readSpan()
      row = reader.spanStart
    } else if (reader.fieldId === 2 && type === WireType.LIST) {
      const listed = reader.readListBegin()
      if (listed > 0 && reader.elementType !== WireType.STRUCT) throw notAResult('cells that are none')
      if (listed > 0 && !isRowLength(rowLength)) throw notAResult('cells of no row')
      for (let i = 0; i < listed; i++) readCell(reader, cells, row, rowLength)
      count += listed
    } else reader.skip(type)
  }
  reader.readStructEnd()
  return count
}

/** `TColumnValue`. */
function readCell(reader: ProtocolReader, cells: CellBlockBuilder, row: number, rowLength: number): void {
  let [family, familyLength, qualifier, qualifierLength, value, valueLength] = [0, -1, 0, 0, 0, 0]
  let [high, low, cellType]: number[] = [0, 0, CellType.Put]
  reader.readStructBegin()
  for (let type = reader.readFieldBegin(); type !== WireType.STOP; type = reader.readFieldBegin()) {
    const { fieldId } = reader
    if (fieldId === 1 && type === WireType.STRING) {
      familyLength = reader.readSpan()
      family = reader.spanStart
    } else if (fieldId === 2 && type === WireType.STRING) {
      qualifierLength = reader.readSpan()
      qualifier = reader.spanStart
    } else if (fieldId === 3 && type === WireType.STRING) {
      valueLength = reader.readSpan()
      value = reader.spanStart
    } else if (fieldId === 4 && type === WireType.I64) {
      reader.readI64Halves()
      high = reader.high
      low = reader.low
    } else if (fieldId === 6 && type === WireType.I8) cellType = reader.readI8() & 0xff
    else reader.skip(type)
  }
  reader.readStructEnd()
  if (familyLength < 0 || familyLength > FAMILY_BYTES_MAX) throw notAResult('a cell of no family')
  const length = cellBytes(rowLength, familyLength, qualifierLength, valueLength)
  const at = cells.reserve(CELL_PREFIX_BYTES + length)
  const { buffer: target } = cells
  const { buffer: source } = reader
  const cell = at + CELL_PREFIX_BYTES
  writeInt32(target, at, length)
  writeInt32(target, cell, KEY_FIXED_BYTES + rowLength + familyLength + qualifierLength)
  writeInt32(target, cell + 4, valueLength)
  target[cell + 8] = rowLength >>> 8
  target[cell + 9] = rowLength
  const familyAt = cell + 10 + source.copy(target, cell + 10, row, row + rowLength)
  target[familyAt] = familyLength
  let end = familyAt + 1 + source.copy(target, familyAt + 1, family, family + familyLength)
  end += source.copy(target, end, qualifier, qualifier + qualifierLength)
  writeInt32(target, end, high!)
  writeInt32(target, end + 4, low!)
  target[end + 8] = cellType!
  cells.length = end + 9 + source.copy(target, end + 9, value, value + valueLength)
  cells.count++
}

function notAResult(what: string): ThriftProtocolError {
  return new ThriftProtocolError('INVALID_DATA', `the server has answered ${what}`)
}
