/**
 * Cell sets as XML, written as JAXB writes them: no white space, an empty set as an empty element.
 *
 *     <CellSet><Row key=base64><Cell column=base64 timestamp=integer>base64</Cell>...</Row>...</CellSet>
 */

import type { CellCursor } from '../../model/cell-block.ts'
import { TIMESTAMP_DIGITS_MAX, writeTimestampText } from '../text/decimal.ts'
import { base64Length, writeBase64 } from './base64.ts'
import type { CellSetWriter } from './cell-set-writer.ts'
import { writeColumnBase64 } from './column-base64.ts'
import type { OutputBuffer } from './output-buffer.ts'
import { XML_DECLARATION } from './xml-writer.ts'

const DECLARATION = Buffer.from(XML_DECLARATION, 'latin1')
const EMPTY_SET = Buffer.from('<CellSet/>', 'latin1')
const BEGIN = Buffer.from('<CellSet>', 'latin1')
const END = Buffer.from('</CellSet>', 'latin1')
const KEY = Buffer.from('<Row key="', 'latin1')
const KEY_END = Buffer.from('">', 'latin1')
const ROW_END = Buffer.from('</Row>', 'latin1')
const COLUMN = Buffer.from('<Cell column="', 'latin1')
const TIMESTAMP = Buffer.from('" timestamp="', 'latin1')
const VALUE = Buffer.from('">', 'latin1')
const CELL_END = Buffer.from('</Cell>', 'latin1')

const CELL_FIXED_BYTES =
  COLUMN.length + TIMESTAMP.length + TIMESTAMP_DIGITS_MAX + VALUE.length + CELL_END.length

export class CellSetXmlWriter implements CellSetWriter {
  #rows = 0

  begin(out: OutputBuffer): void {
    out.append(DECLARATION)
  }

  startRow(out: OutputBuffer, cursor: CellCursor): void {
    out.append(this.#rows++ === 0 ? BEGIN : ROW_END)
    let at = out.reserve(KEY.length + base64Length(cursor.rowLength) + KEY_END.length)
    at = out.put(at, KEY)
    at = writeBase64(cursor.buffer, cursor.rowOffset, cursor.rowLength, out, at)
    out.length = out.put(at, KEY_END)
  }

  cell(out: OutputBuffer, cursor: CellCursor): void {
    const { buffer, familyLength, qualifierLength, valueOffset, valueLength } = cursor
    const column = base64Length(familyLength + 1 + qualifierLength)
    let at = out.reserve(CELL_FIXED_BYTES + column + base64Length(valueLength))
    at = out.put(at, COLUMN)
    at = writeColumnBase64(cursor, out, at)
    at = out.put(at, TIMESTAMP)
    at = writeTimestampText(out.buffer, at, cursor.timestampHigh, cursor.timestampLow)
    at = out.put(at, VALUE)
    at = writeBase64(buffer, valueOffset, valueLength, out, at)
    out.length = out.put(at, CELL_END)
  }

  endPage(): void {}

  end(out: OutputBuffer): void {
    if (this.#rows === 0) {
      out.append(EMPTY_SET)
    } else {
      out.append(ROW_END)
      out.append(END)
    }
  }
}
