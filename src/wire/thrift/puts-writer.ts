/** Thrift 2's puts as clients write them: from a batch's cells, without an object for a cell. */

import { type CellBlock, CellCursor } from '../../model/cell-block.ts'
import { LATEST_HIGH, LATEST_LOW } from '../../model/timestamp.ts'
import { ViewedBytes } from '../../model/viewed-bytes.ts'
import { type ProtocolWriter, WireType } from './protocol.ts'

/** The fields of TPut beside its cells. */
export interface PutFields {
  readonly attributes?: readonly (readonly [Buffer, Buffer])[] | undefined
  /** TDurability; 0: the table's own. */
  readonly durability: number
}

export interface WrittenPut extends PutFields {
  /** Cells of one row. */
  readonly cells: CellBlock
}

/** `list<TPut>`. */
export function writePuts(writer: ProtocolWriter, puts: readonly WrittenPut[]): void {
  writer.writeListBegin(WireType.STRUCT, puts.length)
  for (const put of puts) writePut(writer, put)
}

/** `TPut`. A cell without a timestamp gets the server's time. */
export function writePut(writer: ProtocolWriter, { cells, attributes, durability }: WrittenPut): void {
  writer.writeStructBegin()
  const source = new ViewedBytes(cells.buffer)
  const cursor = new CellCursor(cells)
  const count = countOf(cells)
  for (let i = 0; cursor.next(); i++) {
    if (i === 0) {
      writer.writeFieldBegin(WireType.STRING, 1)
      writer.writeSpan(source, cursor.rowOffset, cursor.rowLength)
      writer.writeFieldBegin(WireType.LIST, 2)
      writer.writeListBegin(WireType.STRUCT, count)
    }
    writeColumnValue(writer, source, cursor)
  }
  if (attributes !== undefined && attributes.length > 0) {
    writer.writeFieldBegin(WireType.MAP, 5)
    writer.writeMapBegin(WireType.STRING, WireType.STRING, attributes.length)
    for (const [name, value] of attributes) {
      writer.writeBinary(name)
      writer.writeBinary(value)
    }
  }
  if (durability !== 0) {
    writer.writeFieldBegin(WireType.I32, 6)
    writer.writeI32(durability)
  }
  writer.writeStructEnd()
}

function countOf(cells: CellBlock): number {
  const cursor = new CellCursor(cells)
  let count = 0
  while (cursor.next()) count++
  return count
}

function writeColumnValue(writer: ProtocolWriter, source: ViewedBytes, cursor: CellCursor): void {
  const { timestampHigh, timestampLow } = cursor
  writer.writeStructBegin()
  writer.writeFieldBegin(WireType.STRING, 1)
  writer.writeSpan(source, cursor.familyOffset, cursor.familyLength)
  writer.writeFieldBegin(WireType.STRING, 2)
  writer.writeSpan(source, cursor.qualifierOffset, cursor.qualifierLength)
  writer.writeFieldBegin(WireType.STRING, 3)
  writer.writeSpan(source, cursor.valueOffset, cursor.valueLength)
  if (timestampHigh !== LATEST_HIGH || timestampLow !== LATEST_LOW) {
    writer.writeFieldBegin(WireType.I64, 4)
    writer.writeI64Halves(timestampHigh, timestampLow)
  }
  writer.writeStructEnd()
}
