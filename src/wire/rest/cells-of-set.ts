/** The cells of a cell set that a server has answered, as a cell block. */

import { abbreviated, EMPTY, writeInt32 } from '../../model/bytes.ts'
import { CellType, cellBytes, FAMILY_BYTES_MAX, isRowLength, KEY_FIXED_BYTES } from '../../model/cell.ts'
import { CELL_PREFIX_BYTES, type CellBlock, CellBlockBuilder } from '../../model/cell-block.ts'
import type { DecodeLimits } from '../../model/decode-limits.ts'
import { HBaseError } from '../../model/errors.ts'
import type { CellPlace, CellSet } from './cell-set.ts'
import { decodeCellSetProtobuf } from './cell-set-protobuf-decoder.ts'

/** What is answered is bounded by its bytes. */
const ANY: DecodeLimits = {
  depthMax: 64,
  batchMax: Number.POSITIVE_INFINITY,
  elementsMax: Number.POSITIVE_INFINITY,
}
const COLON = 0x3a

export interface AnsweredCells {
  readonly cells: CellBlock
  /** Of each row. */
  readonly counts: readonly number[]
}

/** Throws CORRUPTION for cells that no table can have. */
export function decodeAnsweredCells(body: Buffer): AnsweredCells {
  const set = decodeCellSetProtobuf(body, ANY)
  const builder = new CellBlockBuilder(body.length + set.cellCount * 64)
  const counts: number[] = []
  for (let row = 0; row < set.rowCount; row++) {
    const [first, end] = [set.firstCell(row), set.endCell(row)]
    for (let index = first; index < end; index++) appendCell(builder, set, row, set.place(index))
    counts.push(end - first)
  }
  return { cells: builder.block(), counts }
}

function appendCell(builder: CellBlockBuilder, set: CellSet, row: number, place: Readonly<CellPlace>): void {
  const { bytes } = set
  const { column, columnLength, value } = place
  const valueLength = Math.max(0, place.valueLength)
  const rowLength = set.keyLength(row)
  const colon = columnLength < 0 ? -1 : bytes.indexOf(COLON, column)
  const familyLength = colon - column
  if (colon < 0 || familyLength >= columnLength || familyLength > FAMILY_BYTES_MAX || !isRowLength(rowLength))
    throw new HBaseError(
      'CORRUPTION',
      `the server has answered a cell that is none, of row ${abbreviated(set.rowKey(row) ?? EMPTY)}`,
    )
  const qualifierLength = columnLength - familyLength - 1
  const length = cellBytes(rowLength, familyLength, qualifierLength, valueLength)
  const at = builder.reserve(CELL_PREFIX_BYTES + length)
  const { buffer } = builder
  const cell = at + CELL_PREFIX_BYTES
  writeInt32(buffer, at, length)
  writeInt32(buffer, cell, KEY_FIXED_BYTES + rowLength + familyLength + qualifierLength)
  writeInt32(buffer, cell + 4, valueLength)
  buffer[cell + 8] = rowLength >>> 8
  buffer[cell + 9] = rowLength
  const key = set.keyOffset(row)
  bytes.copy(buffer, cell + 10, key, key + rowLength)
  const family = cell + 10 + rowLength
  buffer[family] = familyLength
  bytes.copy(buffer, family + 1, column, colon)
  bytes.copy(buffer, family + 1 + familyLength, colon + 1, column + columnLength)
  const time = family + 1 + familyLength + qualifierLength
  writeInt32(buffer, time, place.timestampHigh)
  writeInt32(buffer, time + 4, place.timestampLow)
  buffer[time + 8] = CellType.Put
  builder.length = bytes.copy(buffer, time + 9, value, value + valueLength) + time + 9
  builder.count++
}
