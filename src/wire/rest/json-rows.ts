/**
 * Rows as JSON beyond HBase's own document: rows of text, and rows as lines (NDJSON), each line one row:
 *
 *     {"rows":[{"key":text,"cells":[{"column":text,"timestamp":integer,"value":text}, ...]}, ...]}
 *     {"key":text,"cells":[...]}
 *     {"key":base64,"Cell":[{"column":base64,"timestamp":integer,"$":base64}, ...]}
 *
 * Cells are a list, not members by their column: versions of a column stand one after the other, and order is kept.
 * A value of eight bytes that is no readable text has a member `int64` too, its big-endian integer: the counters of
 * HBase's clients. It is a string, since most readers of JSON round long numbers.
 */

import { readInt32 } from '../../model/bytes.ts'
import type { CellCursor } from '../../model/cell-block.ts'
import { TIMESTAMP_DIGITS_MAX, writeTimestampText } from '../text/decimal.ts'
import type { CellSetWriter } from './cell-set-writer.ts'
import { type CellText, writeCell, writeRowKey } from './cell-text.ts'
import { writeEscapedJson } from './escaped-json.ts'
import { FixedText } from './fixed-text.ts'
import type { OutputBuffer } from './output-buffer.ts'

/** One row's JSON. */
interface RowForm {
  startRow(out: OutputBuffer, cursor: CellCursor): void
  cell(out: OutputBuffer, cursor: CellCursor, isFirst: boolean): void
}

/** The bytes around rows. */
interface Frame {
  readonly begin: Buffer
  readonly between: Buffer
  readonly afterRow: Buffer
  readonly end: Buffer
}

const COLON = Buffer.from(':', 'latin1')
const COUNTER_BYTES = 8

const TEXT_KEY = Buffer.from('{"key":"', 'latin1')
const TEXT_CELLS = Buffer.from('","cells":[', 'latin1')
const FIRST_COLUMN = Buffer.from('{"column":"', 'latin1')
const NEXT_COLUMN = Buffer.from(',{"column":"', 'latin1')
const TIMESTAMP = Buffer.from('","timestamp":', 'latin1')
const VALUE = Buffer.from(',"value":"', 'latin1')
const INT64 = Buffer.from('","int64":"', 'latin1')
const CELL_END = Buffer.from('"}', 'latin1')

const TEXT_ROW: RowForm = {
  startRow: (out, { buffer, rowOffset, rowLength }) => {
    out.append(TEXT_KEY)
    writeEscapedJson(out, buffer, rowOffset, rowLength)
    out.append(TEXT_CELLS)
  },
  cell: (out, cursor, isFirst) => {
    const { buffer, valueOffset, valueLength } = cursor
    out.append(isFirst ? FIRST_COLUMN : NEXT_COLUMN)
    // Family and qualifier one by one: the colon between them is no part of a character.
    writeEscapedJson(out, buffer, cursor.familyOffset, cursor.familyLength)
    out.append(COLON)
    writeEscapedJson(out, buffer, cursor.qualifierOffset, cursor.qualifierLength)
    out.append(TIMESTAMP)
    writeInt64(out, cursor.timestampHigh, cursor.timestampLow)
    out.append(VALUE)
    const hasEscape = writeEscapedJson(out, buffer, valueOffset, valueLength)
    if (hasEscape && valueLength === COUNTER_BYTES) {
      out.append(INT64)
      writeInt64(out, readInt32(buffer, valueOffset), readInt32(buffer, valueOffset + 4))
    }
    out.append(CELL_END)
  },
}

function writeInt64(out: OutputBuffer, high: number, low: number): void {
  const at = out.reserve(TIMESTAMP_DIGITS_MAX)
  out.length = writeTimestampText(out.buffer, at, high, low)
}

const BASE64_KEY = new FixedText('{"key":"')
const BASE64_CELLS = new FixedText('","Cell":[')
const FIRST_CELL: CellText = {
  column: new FixedText('{"column":"'),
  timestamp: new FixedText('","timestamp":'),
  value: new FixedText(',"$":"'),
  end: new FixedText('"}'),
}
const NEXT_CELL: CellText = { ...FIRST_CELL, column: new FixedText(',{"column":"') }

const BASE64_ROW: RowForm = {
  startRow: (out, cursor) => writeRowKey(out, BASE64_KEY, cursor, BASE64_CELLS),
  cell: (out, cursor, isFirst) => writeCell(out, isFirst ? FIRST_CELL : NEXT_CELL, cursor),
}

const NOTHING = Buffer.alloc(0)
const DOCUMENT: Frame = {
  begin: Buffer.from('{"rows":[', 'latin1'),
  between: Buffer.from(',', 'latin1'),
  afterRow: Buffer.from(']}', 'latin1'),
  end: Buffer.from(']}', 'latin1'),
}
const LINES: Frame = {
  begin: NOTHING,
  between: NOTHING,
  afterRow: Buffer.from(']}\n', 'latin1'),
  end: NOTHING,
}

class JsonRowsWriter implements CellSetWriter {
  readonly #form: RowForm
  readonly #frame: Frame
  #rows = 0
  /** Cells of the open row so far; -1 where no row is open. */
  #cells = -1

  constructor(form: RowForm, frame: Frame) {
    this.#form = form
    this.#frame = frame
  }

  begin(out: OutputBuffer): void {
    out.append(this.#frame.begin)
  }

  startRow(out: OutputBuffer, cursor: CellCursor): void {
    this.#endRow(out)
    if (this.#rows++ > 0) out.append(this.#frame.between)
    this.#form.startRow(out, cursor)
    this.#cells = 0
  }

  cell(out: OutputBuffer, cursor: CellCursor): void {
    this.#form.cell(out, cursor, this.#cells++ === 0)
  }

  endPage(out: OutputBuffer): void {
    this.#endRow(out)
  }

  end(out: OutputBuffer): void {
    this.#endRow(out)
    out.append(this.#frame.end)
  }

  #endRow(out: OutputBuffer): void {
    if (this.#cells < 0) return
    out.append(this.#frame.afterRow)
    this.#cells = -1
  }
}

/** A document of rows of text. */
export function textDocumentWriter(): CellSetWriter {
  return new JsonRowsWriter(TEXT_ROW, DOCUMENT)
}

/** A line for each row of text. */
export function textLinesWriter(): CellSetWriter {
  return new JsonRowsWriter(TEXT_ROW, LINES)
}

/** A line for each row as HBase's JSON has it. */
export function base64LinesWriter(): CellSetWriter {
  return new JsonRowsWriter(BASE64_ROW, LINES)
}
