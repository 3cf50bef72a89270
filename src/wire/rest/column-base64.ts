import type { CellCursor } from '../../model/cell-block.ts'
import { writeBase64 } from './base64.ts'
import type { OutputBuffer } from './output-buffer.ts'

const COLON = 0x3a

/** `family:qualifier` of one cell, joined here because base64 groups run across the colon. */
let joined: Buffer = Buffer.allocUnsafe(1024)

/** Writes the base64 of the cell's `family:qualifier`, which is how REST names a column; returns the offset after it. */
export function writeColumnBase64(cursor: CellCursor, out: OutputBuffer, at: number): number {
  const { buffer, familyOffset, familyLength, qualifierOffset, qualifierLength } = cursor
  const length = familyLength + 1 + qualifierLength
  if (length > joined.length) joined = Buffer.allocUnsafe(length * 2)
  for (let i = 0; i < familyLength; i++) joined[i] = buffer[familyOffset + i]!
  joined[familyLength] = COLON
  if (qualifierLength > 64) {
    buffer.copy(joined, familyLength + 1, qualifierOffset, qualifierOffset + qualifierLength)
  } else {
    for (let i = 0; i < qualifierLength; i++) joined[familyLength + 1 + i] = buffer[qualifierOffset + i]!
  }
  return writeBase64(joined, 0, length, out, at)
}
