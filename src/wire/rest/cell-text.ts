/** Rows and cells as text around base64, for the forms that differ in that text alone: JSON and XML. */

import type { CellCursor } from '../../model/cell-block.ts'
import { TIMESTAMP_DIGITS_MAX, writeTimestampText } from '../text/decimal.ts'
import { base64Length, writeBase64 } from './base64.ts'
import { writeColumnBase64 } from './column-base64.ts'
import type { OutputBuffer } from './output-buffer.ts'

/** The text before each part of a cell, and after the last. */
export interface CellText {
  readonly column: Buffer
  readonly timestamp: Buffer
  readonly value: Buffer
  readonly end: Buffer
}

/** Writes the key of the cursor's row between `before` and `after`. */
export function writeRowKey(out: OutputBuffer, before: Buffer, cursor: CellCursor, after: Buffer): void {
  const { buffer, rowOffset, rowLength } = cursor
  let at = out.reserve(before.length + base64Length(rowLength) + after.length)
  at = out.put(at, before)
  at = writeBase64(buffer, rowOffset, rowLength, out, at)
  out.length = out.put(at, after)
}

export function writeCell(out: OutputBuffer, text: CellText, cursor: CellCursor): void {
  const { buffer, familyLength, qualifierLength, valueOffset, valueLength } = cursor
  const fixed =
    text.column.length + text.timestamp.length + TIMESTAMP_DIGITS_MAX + text.value.length + text.end.length
  const encoded = base64Length(familyLength + 1 + qualifierLength) + base64Length(valueLength)
  let at = out.reserve(fixed + encoded)
  at = out.put(at, text.column)
  at = writeColumnBase64(cursor, out, at)
  at = out.put(at, text.timestamp)
  at = writeTimestampText(out.buffer, at, cursor.timestampHigh, cursor.timestampLow)
  at = out.put(at, text.value)
  at = writeBase64(buffer, valueOffset, valueLength, out, at)
  out.length = out.put(at, text.end)
}
