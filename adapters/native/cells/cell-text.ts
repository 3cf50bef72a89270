/** Cells as people read them: HBase's Bytes.toStringBinary for bytes. */

import { toStringBinary } from '../../../src/model/bytes.ts'
import {
  CELL_HEADER_BYTES,
  CellType,
  cellType,
  familyLengthOffset,
  keyLength,
  rowLength,
  timestampOffset,
  valueLength,
  valueOffset,
} from '../../../src/model/cell.ts'
import { readTimestamp } from '../../../src/model/timestamp.ts'

const TYPE_NAMES: ReadonlyMap<number, string> = new Map(
  Object.entries(CellType).map(([name, type]) => [type, name]),
)

export interface CellText {
  readonly row: string
  readonly family: string
  readonly qualifier: string
  readonly timestamp: string
  readonly type: string
}

/** The parts of the key of the KeyValue at buffer[cell]. */
export function keyText(buffer: Buffer, cell: number): CellText {
  const rowBytes = rowLength(buffer, cell)
  const row = cell + CELL_HEADER_BYTES + 2
  const family = familyLengthOffset(buffer, cell) + 1
  const familyBytes = buffer[family - 1]!
  const qualifier = family + familyBytes
  const time = timestampOffset(buffer, cell)
  const type = cellType(buffer, cell)
  return {
    row: toStringBinary(buffer.subarray(row, row + rowBytes)),
    family: toStringBinary(buffer.subarray(family, qualifier)),
    qualifier: toStringBinary(buffer.subarray(qualifier, time)),
    timestamp: readTimestamp(buffer, time).toString(),
    type: TYPE_NAMES.get(type) ?? String(type),
  }
}

export function valueText(buffer: Buffer, cell: number): string {
  const start = valueOffset(buffer, cell)
  return toStringBinary(buffer.subarray(start, start + valueLength(buffer, cell)))
}

/** The key as HBase prints it: `row/family:qualifier/timestamp/Type`. */
export function keyLine({ row, family, qualifier, timestamp, type }: CellText): string {
  return `${row}/${family}:${qualifier}/${timestamp}/${type}`
}

/** A key as an index has it, without the two lengths before it. */
export function indexKeyText(key: Buffer): string {
  const header = Buffer.alloc(CELL_HEADER_BYTES)
  header.writeInt32BE(key.length)
  return keyLine(keyText(Buffer.concat([header, key]), 0))
}

export function rowOf(buffer: Buffer, cell: number): Buffer {
  const row = cell + CELL_HEADER_BYTES + 2
  return buffer.subarray(row, row + rowLength(buffer, cell))
}

export function familyOf(buffer: Buffer, cell: number): Buffer {
  const length = familyLengthOffset(buffer, cell)
  return buffer.subarray(length + 1, length + 1 + buffer[length]!)
}

export function qualifierOf(buffer: Buffer, cell: number): Buffer {
  const length = familyLengthOffset(buffer, cell)
  return buffer.subarray(length + 1 + buffer[length]!, cell + CELL_HEADER_BYTES + keyLength(buffer, cell) - 9)
}
