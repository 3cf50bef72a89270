/** Writes results as protobuf: with their cells for clients without a codec, otherwise with the number of cells. HBase: ProtobufUtil.toResult. */

import { type CellBlock, CellCursor } from '../../../model/cell-block.ts'
import { Field } from '../../../wire/rpc/field.ts'
import type { MessageWriter } from '../../../wire/rpc/message-writer.ts'

export interface ResultFlags {
  /** True where the result was read from a copy of its region. */
  readonly isStale: boolean
  /** True where the row may continue in the next result. */
  readonly isPartial?: boolean
}

const PLAIN: ResultFlags = { isStale: false }

/** Writes a Result that contains its cells. */
export function writeCells(
  writer: MessageWriter,
  field: number,
  cells: CellBlock,
  flags: ResultFlags = PLAIN,
): void {
  const start = writer.begin(field)
  const cursor = new CellCursor(cells)
  while (cursor.next()) writeCell(writer, cursor)
  endCells(writer, start, cells, flags)
}

function endCells(
  writer: MessageWriter,
  start: number,
  cells: CellBlock,
  { isStale, isPartial = false }: ResultFlags,
): void {
  if (cells.byteLength === 0) writer.uint32(Field.Result.associatedCellCount, 0)
  if (cells.byteLength > 0 || isStale) writer.bool(Field.Result.stale, isStale)
  if (cells.byteLength > 0) writer.bool(Field.Result.partial, isPartial)
  writer.end(start)
}

/** Bytes that one step writes. */
const STEP_BYTES = 64 * 1024

/** Writes the same as writeCells, in steps. */
export function* cellsInSteps(
  writer: MessageWriter,
  field: number,
  cells: CellBlock,
  flags: ResultFlags = PLAIN,
): Generator<void, void> {
  const start = writer.begin(field)
  const cursor = new CellCursor(cells)
  for (let before = writer.length; cursor.next(); ) {
    writeCell(writer, cursor)
    if (writer.length - before < STEP_BYTES) continue
    before = writer.length
    yield
  }
  endCells(writer, start, cells, flags)
}

/** Writes a Result whose cells are in the frame's cell block. */
export function writeCount(writer: MessageWriter, field: number, count: number, isStale = false): void {
  const start = writer.begin(field)
  writer.uint32(Field.Result.associatedCellCount, count)
  if (count > 0 || isStale) writer.bool(Field.Result.stale, isStale)
  writer.end(start)
}

export function writeExistence(
  writer: MessageWriter,
  field: number,
  exists: boolean,
  isStale: boolean,
): void {
  const start = writer.begin(field)
  writer.uint32(Field.Result.associatedCellCount, 0)
  writer.bool(Field.Result.exists, exists)
  if (isStale) writer.bool(Field.Result.stale, true)
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
