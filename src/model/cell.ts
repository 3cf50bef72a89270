/**
 * A cell is HBase's KeyValue: flat bytes at an offset of a Buffer.
 *
 *     keyLength i32 | valueLength i32 | rowLength i16 | row | familyLength i8 | family | qualifier
 *     | timestamp i64 | type i8 | value
 *
 * keyLength counts from rowLength to type. All integers are big-endian. HBase: org.apache.hadoop.hbase.KeyValue.
 */

import { compareRange, readInt32, writeInt32 } from './bytes.ts'
import { compareTimestamps } from './timestamp.ts'

/** KeyValue.Type. PERSISTED: never renumber. */
export const CellType = {
  Minimum: 0,
  Put: 4,
  /** Deletes one version: the one with just this timestamp. */
  Delete: 8,
  /** Deletes every cell of the family with just this timestamp. */
  DeleteFamilyVersion: 10,
  /** Deletes all versions of the column up to this timestamp. */
  DeleteColumn: 12,
  /** Deletes all columns of the family up to this timestamp. */
  DeleteFamily: 14,
  Maximum: 255,
} as const
export type CellType = (typeof CellType)[keyof typeof CellType]

const STORED_TYPES: ReadonlySet<number> = new Set([
  CellType.Put,
  CellType.Delete,
  CellType.DeleteFamilyVersion,
  CellType.DeleteColumn,
  CellType.DeleteFamily,
])

/** Whether cells of tables may have the type: least and greatest are for searches, and others HBase does not have. */
export function isStoredType(type: number): boolean {
  return STORED_TYPES.has(type)
}

/** keyLength and valueLength. */
export const CELL_HEADER_BYTES = 8
/** The bytes of a key beside row, family and qualifier: rowLength 2, familyLength 1, timestamp 8, type 1. */
export const KEY_FIXED_BYTES = 12
/** A row's length is an int16 and must be positive: HConstants.MAX_ROW_LENGTH. */
export const ROW_BYTES_MAX = 0x7fff
/** A family's length is an int8: Byte.MAX_VALUE. */
export const FAMILY_BYTES_MAX = 0x7f

export function cellBytes(
  rowLength: number,
  familyLength: number,
  qualifierLength: number,
  valueLength: number,
): number {
  return CELL_HEADER_BYTES + KEY_FIXED_BYTES + rowLength + familyLength + qualifierLength + valueLength
}

/** Bytes of the whole KeyValue at `cell`, without tags. */
export function cellLength(buffer: Buffer, cell: number): number {
  return CELL_HEADER_BYTES + readInt32(buffer, cell) + readInt32(buffer, cell + 4)
}

export function keyLength(buffer: Buffer, cell: number): number {
  return readInt32(buffer, cell)
}

export function valueLength(buffer: Buffer, cell: number): number {
  return readInt32(buffer, cell + 4)
}

export function valueOffset(buffer: Buffer, cell: number): number {
  return cell + CELL_HEADER_BYTES + readInt32(buffer, cell)
}

export function rowLength(buffer: Buffer, cell: number): number {
  return (buffer[cell + 8]! << 8) | buffer[cell + 9]!
}

export function rowOffset(cell: number): number {
  return cell + 10
}

/** The byte that holds the family's length; the family follows it. */
export function familyLengthOffset(buffer: Buffer, cell: number): number {
  return cell + 10 + rowLength(buffer, cell)
}

/** Where the timestamp's eight bytes begin; the type is the byte after them. */
export function timestampOffset(buffer: Buffer, cell: number): number {
  return cell + CELL_HEADER_BYTES + readInt32(buffer, cell) - 9
}

export function cellType(buffer: Buffer, cell: number): number {
  return buffer[cell + CELL_HEADER_BYTES + readInt32(buffer, cell) - 1]!
}

/**
 * HBase's order (CellComparatorImpl): row, family, qualifier ascending, timestamp descending, type descending. Values
 * and sequence ids do not count.
 */
export function compareCells(a: Buffer, aCell: number, b: Buffer, bCell: number): number {
  const aRow = rowLength(a, aCell)
  const bRow = rowLength(b, bCell)
  const rows = compareRange(a, aCell + 10, aRow, b, bCell + 10, bRow)
  if (rows !== 0) return rows
  return compareCellsOfRow(a, aCell, aRow, b, bCell, bRow)
}

/** As compareCells, for cells of one row. */
function compareCellsOfRow(
  a: Buffer,
  aCell: number,
  aRow: number,
  b: Buffer,
  bCell: number,
  bRow: number,
): number {
  const aFamily = aCell + 10 + aRow
  const bFamily = bCell + 10 + bRow
  const aFamilyLength = a[aFamily]!
  const bFamilyLength = b[bFamily]!
  const families = compareRange(a, aFamily + 1, aFamilyLength, b, bFamily + 1, bFamilyLength)
  if (families !== 0) return families
  const aTime = timestampOffset(a, aCell)
  const bTime = timestampOffset(b, bCell)
  const aQualifier = aFamily + 1 + aFamilyLength
  const bQualifier = bFamily + 1 + bFamilyLength
  const qualifiers = compareRange(a, aQualifier, aTime - aQualifier, b, bQualifier, bTime - bQualifier)
  if (qualifiers !== 0) return qualifiers
  const times = compareTimestamps(
    readInt32(b, bTime),
    readInt32(b, bTime + 4),
    readInt32(a, aTime),
    readInt32(a, aTime + 4),
  )
  return times !== 0 ? times : b[bTime + 8]! - a[aTime + 8]!
}

/** The parts of a cell as objects: for tests, the memory store and cold paths. */
export interface CellParts {
  readonly row: Buffer
  readonly family: Buffer
  readonly qualifier: Buffer
  readonly timestamp: bigint
  readonly type: number
  readonly value: Buffer
  /** See cell-tags.ts; left out where the cell has none. */
  readonly tags?: Buffer
}

/** Writes a KeyValue at `offset`, which must have cellBytes(...) of room; returns the offset after it. */
export function writeCell(
  target: Buffer,
  offset: number,
  row: Buffer,
  family: Buffer,
  qualifier: Buffer,
  timestampHigh: number,
  timestampLow: number,
  type: number,
  value: Buffer,
): number {
  const key = KEY_FIXED_BYTES + row.length + family.length + qualifier.length
  writeInt32(target, offset, key)
  writeInt32(target, offset + 4, value.length)
  target[offset + 8] = row.length >>> 8
  target[offset + 9] = row.length
  let at = offset + 10
  target.set(row, at)
  at += row.length
  target[at++] = family.length
  target.set(family, at)
  at += family.length
  target.set(qualifier, at)
  at += qualifier.length
  writeInt32(target, at, timestampHigh)
  writeInt32(target, at + 4, timestampLow)
  target[at + 8] = type
  target.set(value, at + 9)
  return at + 9 + value.length
}

/** Whether HBase takes a row of so many bytes. */
export function isRowLength(bytes: number): boolean {
  return bytes > 0 && bytes <= ROW_BYTES_MAX
}
