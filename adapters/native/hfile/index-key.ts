/**
 * Keys of the data index. An index key need not be a cell of the file, only part two blocks, so HBase makes it as short as
 * it can. HBase: HFileWriterImpl.getMidpoint.
 */

import { equalRange } from '../../../src/model/bytes.ts'
import { CELL_HEADER_BYTES, keyLength, rowLength } from '../../../src/model/cell.ts'
import { KEY_BYTES_MIN } from './key-order.ts'

/** LATEST_TIMESTAMP and the greatest type: a key with both sorts first in its row or column. */
export const FIRST_TIME_AND_TYPE: Buffer = Buffer.from('7fffffffffffffffff', 'hex')

/** A copy of the key of the KeyValue at `cell`. */
export function copyKey(buffer: Buffer, cell: number): Buffer {
  const key = cell + CELL_HEADER_BYTES
  return Buffer.from(buffer.subarray(key, key + keyLength(buffer, cell)))
}

/**
 * A key after `left`, the last key of a block, and not after the key of the KeyValue at right[cell], the first cell of the
 * next block.
 */
export function partingKey(left: Buffer, right: Buffer, cell: number): Buffer {
  const leftRow = (left[0]! << 8) | left[1]!
  const rightRow = rowLength(right, cell)
  if (!equalRange(left, 2, leftRow, right, cell + 10, rightRow)) {
    return firstKeyOfRow(partingBytes(left, 2, leftRow, right, cell + 10))
  }
  const leftFamily = 2 + leftRow
  const rightFamily = cell + 10 + rightRow
  const familyBytes = right[rightFamily]!
  const leftQualifier = leftFamily + 1 + left[leftFamily]!
  const rightQualifier = rightFamily + 1 + familyBytes
  const leftBytes = left.length - 9 - leftQualifier
  const rightBytes = keyLength(right, cell) - KEY_BYTES_MIN - rightRow - familyBytes
  const sameFamily = equalRange(left, leftFamily, left[leftFamily]! + 1, right, rightFamily, familyBytes + 1)
  if (!sameFamily || equalRange(left, leftQualifier, leftBytes, right, rightQualifier, rightBytes)) {
    return copyKey(right, cell)
  }
  const qualifier = partingBytes(left, leftQualifier, leftBytes, right, rightQualifier)
  return Buffer.concat([right.subarray(cell + 8, rightQualifier), qualifier, FIRST_TIME_AND_TYPE])
}

/** The key of an imagined cell before all of the row. */
export function firstKeyOfRow(row: Buffer): Buffer {
  const length = Buffer.from([row.length >>> 8, row.length & 0xff])
  return Buffer.concat([length, row, Buffer.of(0), FIRST_TIME_AND_TYPE])
}

/** Bytes that sort after `left` and not after `right`, which sorts after left: left's first differing byte plus one. */
function partingBytes(
  left: Buffer,
  leftStart: number,
  leftBytes: number,
  right: Buffer,
  rightStart: number,
): Buffer {
  let common = 0
  while (common < leftBytes && left[leftStart + common] === right[rightStart + common]) common++
  const parting = Buffer.alloc(common + 1)
  left.copy(parting, 0, leftStart, leftStart + common)
  // If left is a prefix of right, one more zero byte is enough.
  if (common < leftBytes) parting[common] = left[leftStart + common]! + 1
  return parting
}
