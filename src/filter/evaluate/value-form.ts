/**
 * The form of an included cell's value, as a number so that filters pass it on without an object: a form below, or the
 * length that replaces the value, in 4 bytes.
 */

import { readInt32, writeInt32 } from '../../model/bytes.ts'
import { CELL_HEADER_BYTES } from '../../model/cell.ts'
import { CELL_PREFIX_BYTES, type CellBlockBuilder } from '../../model/cell-block.ts'

export const VALUE_AS_IT_IS = -1
export const VALUE_EMPTY = -2

const LENGTH_BYTES = 4

/** The length of a value in this form, if it was `original` bytes long. */
export function lengthOfForm(form: number, original: number): number {
  if (form === VALUE_AS_IT_IS) return original
  return form === VALUE_EMPTY ? 0 : LENGTH_BYTES
}

/** Appends the KeyValue of `bytes` bytes at buffer[cell] with its value in this form. */
export function appendInForm(
  target: CellBlockBuilder,
  form: number,
  buffer: Buffer,
  cell: number,
  bytes: number,
): void {
  if (form === VALUE_AS_IT_IS) {
    target.appendCell(buffer, cell, bytes)
    return
  }
  const key = CELL_HEADER_BYTES + readInt32(buffer, cell)
  const valueBytes = form === VALUE_EMPTY ? 0 : LENGTH_BYTES
  const at = target.reserve(CELL_PREFIX_BYTES + key + valueBytes)
  const copy = at + CELL_PREFIX_BYTES
  writeInt32(target.buffer, at, key + valueBytes)
  buffer.copy(target.buffer, copy, cell, cell + key)
  writeInt32(target.buffer, copy + 4, valueBytes)
  if (valueBytes > 0) writeInt32(target.buffer, copy + key, form)
  target.length = copy + key + valueBytes
  target.count++
}
