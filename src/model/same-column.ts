import { compareTimestamps } from './timestamp.ts'

/**
 * True if two cells are of one row, family and column. The views are of the buffers that the cells are in. The lengths of the parts stand
 * before them: two keys of one length are of one column if they are equal up to the timestamp.
 */
export function isSameColumn(a: DataView, aCell: number, b: DataView, bCell: number): boolean {
  const keyBytes = a.getInt32(aCell)
  if (b.getInt32(bCell) !== keyBytes) return false
  // At least rowLength, one byte of the row, and familyLength.
  const aColumn = aCell + 8
  const bColumn = bCell + 8
  const last = keyBytes - 13
  if (last < 0) return isSameShortColumn(a, aColumn, b, bColumn, keyBytes - 9)
  // From the end: columns and rows that follow each other mostly differ there.
  if (a.getInt32(aColumn + last) !== b.getInt32(bColumn + last)) return false
  for (let i = 0; i < last; i += 4) {
    if (a.getInt32(aColumn + i) !== b.getInt32(bColumn + i)) return false
  }
  return true
}

function isSameShortColumn(
  a: DataView,
  aColumn: number,
  b: DataView,
  bColumn: number,
  bytes: number,
): boolean {
  for (let i = 0; i < bytes; i++) if (a.getUint8(aColumn + i) !== b.getUint8(bColumn + i)) return false
  return true
}

/** Order of two cells of one column: the newer first, and of one timestamp the greater type. */
export function compareVersions(a: DataView, aCell: number, b: DataView, bCell: number): number {
  const aTime = aCell + a.getInt32(aCell) - 1
  const bTime = bCell + b.getInt32(bCell) - 1
  const times = compareTimestamps(
    b.getInt32(bTime),
    b.getInt32(bTime + 4),
    a.getInt32(aTime),
    a.getInt32(aTime + 4),
  )
  return times !== 0 ? times : b.getUint8(bTime + 8) - a.getUint8(aTime + 8)
}
