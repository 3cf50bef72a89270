/**
 * Order of index keys: a KeyValue's key without the two lengths before it, `rowLength i16 | row | familyLength i8 | family |
 * qualifier | timestamp i64 | type i8`. compareCells has the same order.
 */

import { compareRange, readInt32 } from '../../../src/model/bytes.ts'
import { compareTimestamps } from '../../../src/model/timestamp.ts'

/** Bytes of a key's rowLength, familyLength, timestamp and type. */
export const KEY_BYTES_MIN = 12

export function compareKeys(
  a: Buffer,
  aKey: number,
  aBytes: number,
  b: Buffer,
  bKey: number,
  bBytes: number,
): number {
  const aRow = (a[aKey]! << 8) | a[aKey + 1]!
  const bRow = (b[bKey]! << 8) | b[bKey + 1]!
  const rows = compareRange(a, aKey + 2, aRow, b, bKey + 2, bRow)
  if (rows !== 0) return rows
  const aFamily = aKey + 2 + aRow
  const bFamily = bKey + 2 + bRow
  const aFamilyLength = a[aFamily]!
  const bFamilyLength = b[bFamily]!
  const families = compareRange(a, aFamily + 1, aFamilyLength, b, bFamily + 1, bFamilyLength)
  if (families !== 0) return families
  const aTime = aKey + aBytes - 9
  const bTime = bKey + bBytes - 9
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

/** The fault of the lengths in a key of `bytes` bytes, all in the buffer; undefined for a sound key. */
export function keyFault(buffer: Buffer, key: number, bytes: number): string | undefined {
  if (bytes < KEY_BYTES_MIN) return `key of ${bytes} bytes`
  const row = (buffer[key]! << 8) | buffer[key + 1]!
  if (row + KEY_BYTES_MIN > bytes) return `row of ${row} bytes in a key of ${bytes}`
  const family = buffer[key + 2 + row]!
  if (row + family + KEY_BYTES_MIN > bytes) return `family of ${family} bytes in a key of ${bytes}`
  return undefined
}
