/** The parts of a cell as filters look at them. */

import { compareRange, equalRange, readInt32 } from '../../model/bytes.ts'
import { familyLengthOffset, rowLength, timestampOffset } from '../../model/cell.ts'

/** Where the qualifier begins; it ends where the timestamp begins. */
export function qualifierOffset(buffer: Buffer, cell: number): number {
  const family = familyLengthOffset(buffer, cell)
  return family + 1 + buffer[family]!
}

export function qualifierLength(buffer: Buffer, cell: number): number {
  return timestampOffset(buffer, cell) - qualifierOffset(buffer, cell)
}

export function compareRow(buffer: Buffer, cell: number, row: Buffer): number {
  return compareRange(buffer, cell + 10, rowLength(buffer, cell), row, 0, row.length)
}

export function compareQualifier(buffer: Buffer, cell: number, qualifier: Buffer): number {
  const offset = qualifierOffset(buffer, cell)
  return compareRange(buffer, offset, timestampOffset(buffer, cell) - offset, qualifier, 0, qualifier.length)
}

export function isOfFamily(buffer: Buffer, cell: number, family: Buffer): boolean {
  const offset = familyLengthOffset(buffer, cell)
  return equalRange(buffer, offset + 1, buffer[offset]!, family, 0, family.length)
}

export function isOfColumn(buffer: Buffer, cell: number, family: Buffer, qualifier: Buffer): boolean {
  return isOfFamily(buffer, cell, family) && compareQualifier(buffer, cell, qualifier) === 0
}

export function isSameFamily(a: Buffer, aCell: number, b: Buffer, bCell: number): boolean {
  const aFamily = familyLengthOffset(a, aCell)
  const bFamily = familyLengthOffset(b, bCell)
  return equalRange(a, aFamily + 1, a[aFamily]!, b, bFamily + 1, b[bFamily]!)
}

export function isSameColumn(a: Buffer, aCell: number, b: Buffer, bCell: number): boolean {
  if (!isSameFamily(a, aCell, b, bCell)) return false
  const aQualifier = qualifierOffset(a, aCell)
  const bQualifier = qualifierOffset(b, bCell)
  const aLength = timestampOffset(a, aCell) - aQualifier
  const bLength = timestampOffset(b, bCell) - bQualifier
  return equalRange(a, aQualifier, aLength, b, bQualifier, bLength)
}

export function cellTimestampHigh(buffer: Buffer, cell: number): number {
  return readInt32(buffer, timestampOffset(buffer, cell))
}

export function cellTimestampLow(buffer: Buffer, cell: number): number {
  return readInt32(buffer, timestampOffset(buffer, cell) + 4)
}
