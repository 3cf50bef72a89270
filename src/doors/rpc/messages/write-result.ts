/** Results as protobuf: with their cells, for clients without a codec, or with their number. HBase: ProtobufUtil.toResult. */

import { type CellBlock, CellCursor } from '../../../model/cell-block.ts'
import { Field } from '../../../wire/rpc/field.ts'
import type { MessageWriter } from '../../../wire/rpc/message-writer.ts'

/** A message Result whose cells stand in it. `isPart`: of a row that goes on in the next result. */
export function writeCells(writer: MessageWriter, field: number, cells: CellBlock, isPart = false): void {
  const start = writer.begin(field)
  if (cells.byteLength === 0) writer.uint32(Field.Result.associatedCellCount, 0)
  const cursor = new CellCursor(cells)
  while (cursor.next()) writeCell(writer, cursor)
  if (isPart) writer.bool(Field.Result.partial, true)
  writer.end(start)
}

/** A message Result whose cells stand in the frame's cell block. */
export function writeCount(writer: MessageWriter, field: number, count: number): void {
  const start = writer.begin(field)
  writer.uint32(Field.Result.associatedCellCount, count)
  writer.end(start)
}

export function writeExistence(writer: MessageWriter, field: number, exists: boolean): void {
  const start = writer.begin(field)
  writer.uint32(Field.Result.associatedCellCount, 0)
  writer.bool(Field.Result.exists, exists)
  writer.end(start)
}

function writeCell(writer: MessageWriter, cursor: CellCursor): void {
  const field = Field.Cell
  const start = writer.begin(Field.Result.cell)
  const { row, family, qualifier, timestamp, type, value } = cursor.parts()
  writer.bytes(field.row, row)
  writer.bytes(field.family, family)
  writer.bytes(field.qualifier, qualifier)
  writer.int64(field.timestamp, timestamp)
  writer.uint32(field.cellType, type)
  writer.bytes(field.value, value)
  writer.end(start)
}
