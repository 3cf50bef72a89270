/** Rows and cells as text around base64, for the forms that differ in that text alone: JSON and XML. */

import type { CellCursor } from '../../model/cell-block.ts'
import { TIMESTAMP_DIGITS_MAX, writeTimestampText } from '../text/decimal.ts'
import { base64Length, writeBase64 } from './base64.ts'
import { FIXED_TEXT_SLACK, type FixedText } from './fixed-text.ts'
import type { OutputBuffer } from './output-buffer.ts'
import { type SharedHead, writeColumn } from './shared-head.ts'

/** The text before each part of a cell, and after the last. */
export interface CellText {
  readonly column: FixedText
  readonly timestamp: FixedText
  readonly value: FixedText
  readonly end: FixedText
}

/** Writes the key of the cursor's row between `before` and `after`. */
export function writeRowKey(
  out: OutputBuffer,
  before: FixedText,
  cursor: CellCursor,
  after: FixedText,
): void {
  const { buffer, rowOffset, rowLength } = cursor
  let at = out.reserve(before.length + base64Length(rowLength) + after.length + FIXED_TEXT_SLACK)
  const { view } = out
  at = before.write(view, at)
  at = writeBase64(out.viewOf(buffer), rowOffset, rowLength, view, at)
  out.length = after.write(view, at)
}

/** `head`: of the cells before this one in the same output. */
export function writeCell(out: OutputBuffer, text: CellText, cursor: CellCursor, head?: SharedHead): void {
  const { buffer, familyLength, qualifierLength, valueOffset, valueLength } = cursor
  const { column, timestamp, value, end } = text
  const fixed = column.length + timestamp.length + TIMESTAMP_DIGITS_MAX + value.length + end.length
  const encoded = base64Length(familyLength + 1 + qualifierLength) + base64Length(valueLength)
  const start = out.reserve(fixed + encoded + FIXED_TEXT_SLACK)
  const { view } = out
  let at: number
  if (head === undefined) {
    at = writeColumn(out, start, column, cursor, timestamp)
    at = writeTimestampText(out.buffer, at, cursor.timestampHigh, cursor.timestampLow)
  } else {
    at = head.writeColumn(out, start, column, cursor, timestamp)
    at = head.writeTime(out, at, cursor)
  }
  at = value.write(view, at)
  at = writeBase64(out.viewOf(buffer), valueOffset, valueLength, view, at)
  out.length = end.write(view, at)
}
