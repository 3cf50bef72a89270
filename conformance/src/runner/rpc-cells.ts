/** Cell blocks of native RPC in KeyValueCodec's form, read and written without the server's own code. */

import type { RpcCell } from './case.ts'
import { quoted } from './print-bytes.ts'

/** HBase: KeyValue.Type. */
const TYPES: Readonly<Record<number, string>> = {
  4: 'Put',
  8: 'Delete',
  10: 'DeleteFamilyVersion',
  12: 'DeleteColumn',
  14: 'DeleteFamily',
}

const LENGTH_BYTES = 4
/** Length of the row in 16 bits and of the family in 8, time stamp and type. */
const KEY_BYTES = 2 + 1 + 8 + 1

export function encodeCells(cells: readonly RpcCell[]): Buffer {
  return Buffer.concat(cells.map(encodeCell))
}

function encodeCell({ row, family, qualifier, timestamp, type, value }: RpcCell): Buffer {
  const keyBytes = KEY_BYTES + row.length + family.length + qualifier.length
  const head = Buffer.alloc(3 * LENGTH_BYTES + 2)
  head.writeInt32BE(2 * LENGTH_BYTES + keyBytes + value.length)
  head.writeInt32BE(keyBytes, LENGTH_BYTES)
  head.writeInt32BE(value.length, 2 * LENGTH_BYTES)
  head.writeUInt16BE(row.length, 3 * LENGTH_BYTES)
  const stamp = Buffer.alloc(9)
  stamp.writeBigInt64BE(timestamp)
  stamp[8] = type
  return Buffer.concat([head, row, Buffer.from([family.length]), family, qualifier, stamp, value])
}

/** Throws where the bytes are not whole cells. */
export function decodeCells(block: Buffer): RpcCell[] {
  const cells: RpcCell[] = []
  for (let at = 0; at < block.length; ) {
    const end = at + LENGTH_BYTES + block.readInt32BE(at)
    if (end > block.length) throw new Error('the cell block ends within a cell')
    cells.push(decodeCell(block.subarray(at + LENGTH_BYTES, end)))
    at = end
  }
  return cells
}

function decodeCell(bytes: Buffer): RpcCell {
  const keyEnd = 2 * LENGTH_BYTES + bytes.readInt32BE(0)
  const valueEnd = keyEnd + bytes.readInt32BE(LENGTH_BYTES)
  const rowStart = 2 * LENGTH_BYTES + 2
  const rowEnd = rowStart + bytes.readUInt16BE(2 * LENGTH_BYTES)
  const familyEnd = rowEnd + 1 + bytes[rowEnd]!
  const stampStart = keyEnd - 9
  if (valueEnd > bytes.length || familyEnd > stampStart) throw new Error('a cell is shorter than it says')
  return {
    row: bytes.subarray(rowStart, rowEnd),
    family: bytes.subarray(rowEnd + 1, familyEnd),
    qualifier: bytes.subarray(familyEnd, stampStart),
    timestamp: bytes.readBigInt64BE(stampStart),
    type: bytes[keyEnd - 1]!,
    value: bytes.subarray(keyEnd, valueEnd),
  }
}

export function printCell({ row, family, qualifier, timestamp, type, value }: RpcCell): string {
  const column = `${quoted(family)}:${quoted(qualifier)}`
  return `${quoted(row)} ${column} ${timestamp} ${TYPES[type] ?? type} ${quoted(value)}`
}
