import type { CellCursor } from '../../model/cell-block.ts'
import { base64Length, writeBase64 } from './base64.ts'
import type { OutputBuffer } from './output-buffer.ts'

const COLON = 0x3a

/**
 * Writes the base64 of the cell's `family:qualifier`, REST's name of a column, at a reserved offset; returns the offset
 * after it. Base64 groups run across the colon, so the name is joined first, at the end of its base64's place: there no
 * group overwrites bytes that are still to be read.
 */
export function writeColumnBase64(cursor: CellCursor, out: OutputBuffer, at: number): number {
  const { buffer, familyOffset, familyLength, qualifierOffset, qualifierLength } = cursor
  const joined = out.buffer
  const length = familyLength + 1 + qualifierLength
  const start = at + base64Length(length) - length
  for (let i = 0; i < familyLength; i++) joined[start + i] = buffer[familyOffset + i]!
  const qualifier = start + familyLength + 1
  joined[qualifier - 1] = COLON
  if (qualifierLength > 64) {
    buffer.copy(joined, qualifier, qualifierOffset, qualifierOffset + qualifierLength)
  } else {
    for (let i = 0; i < qualifierLength; i++) joined[qualifier + i] = buffer[qualifierOffset + i]!
  }
  return writeBase64(out.view, start, length, out.view, at)
}
