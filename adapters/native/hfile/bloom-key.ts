/**
 * The keys of bloom filters. A ROW filter hashes the row; a ROWCOL filter hashes the key of an imagined cell before all of
 * its column, without the family: `rowLength i16 | row | 0 | qualifier | Long.MAX_VALUE | 255`. HBase:
 * RowBloomHashKey, RowColBloomHashKey.
 */

import { KEY_FIXED_BYTES } from '../../../src/model/cell.ts'
import { FIRST_TIME_AND_TYPE } from './index-key.ts'

/** Bytes of the ROWCOL key. */
export function columnKeyBytes(rowBytes: number, qualifierBytes: number): number {
  return KEY_FIXED_BYTES + rowBytes + qualifierBytes
}

/** Writes the ROWCOL key at target[0..); returns its length. `target` has room for it. */
export function writeColumnKey(
  target: Buffer,
  row: Buffer,
  rowOffset: number,
  rowBytes: number,
  qualifier: Buffer,
  qualifierOffset: number,
  qualifierBytes: number,
): number {
  target[0] = rowBytes >>> 8
  target[1] = rowBytes
  row.copy(target, 2, rowOffset, rowOffset + rowBytes)
  target[2 + rowBytes] = 0
  qualifier.copy(target, 3 + rowBytes, qualifierOffset, qualifierOffset + qualifierBytes)
  FIRST_TIME_AND_TYPE.copy(target, 3 + rowBytes + qualifierBytes)
  return columnKeyBytes(rowBytes, qualifierBytes)
}
