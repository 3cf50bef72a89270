/**
 * Cell sets as JSON:
 *
 *     {"Row":[{"key":base64,"Cell":[{"column":base64,"timestamp":integer,"$":base64}, ...]}, ...]}
 */

import type { CellCursor } from '../../model/cell-block.ts'
import { TIMESTAMP_DIGITS_MAX, writeTimestampText } from '../text/decimal.ts'
import { base64Length, writeBase64 } from './base64.ts'
import type { CellSetWriter } from './cell-set-writer.ts'
import { writeColumnBase64 } from './column-base64.ts'
import type { OutputBuffer } from './output-buffer.ts'

const BEGIN = Buffer.from('{"Row":[', 'latin1')
const KEY = Buffer.from('{"key":"', 'latin1')
const CELLS = Buffer.from('","Cell":[', 'latin1')
const COLUMN = Buffer.from('{"column":"', 'latin1')
const TIMESTAMP = Buffer.from('","timestamp":', 'latin1')
const VALUE = Buffer.from(',"$":"', 'latin1')
const CELL_END = Buffer.from('"}', 'latin1')
const ROW_END = Buffer.from(']}', 'latin1')
const COMMA = 0x2c

const CELL_FIXED_BYTES =
  1 + COLUMN.length + TIMESTAMP.length + TIMESTAMP_DIGITS_MAX + VALUE.length + CELL_END.length

export class CellSetJsonWriter implements CellSetWriter {
  #rows = 0
  #cells = 0

  begin(out: OutputBuffer): void {
    out.append(BEGIN)
  }

  startRow(out: OutputBuffer, cursor: CellCursor): void {
    if (this.#rows > 0) out.append(ROW_END)
    const { rowOffset, rowLength } = cursor
    let at = out.reserve(1 + KEY.length + base64Length(rowLength) + CELLS.length)
    if (this.#rows > 0) out.buffer[at++] = COMMA
    at = out.put(at, KEY)
    at = writeBase64(cursor.buffer, rowOffset, rowLength, out, at)
    out.length = out.put(at, CELLS)
    this.#rows++
    this.#cells = 0
  }

  cell(out: OutputBuffer, cursor: CellCursor): void {
    const { buffer, familyLength, qualifierLength, valueOffset, valueLength } = cursor
    const column = base64Length(familyLength + 1 + qualifierLength)
    let at = out.reserve(CELL_FIXED_BYTES + column + base64Length(valueLength))
    if (this.#cells > 0) out.buffer[at++] = COMMA
    at = out.put(at, COLUMN)
    at = writeColumnBase64(cursor, out, at)
    at = out.put(at, TIMESTAMP)
    at = writeTimestampText(out.buffer, at, cursor.timestampHigh, cursor.timestampLow)
    at = out.put(at, VALUE)
    at = writeBase64(buffer, valueOffset, valueLength, out, at)
    out.length = out.put(at, CELL_END)
    this.#cells++
  }

  endPage(): void {}

  end(out: OutputBuffer): void {
    if (this.#rows > 0) out.append(ROW_END)
    out.append(ROW_END)
  }
}
