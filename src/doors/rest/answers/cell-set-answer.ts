/** Answers with cells, in the negotiated media type. */

import { CellCursor } from '../../../model/cell-block.ts'
import { HBaseError } from '../../../model/errors.ts'
import { manyATurn } from '../../../model/many-a-turn.ts'
import type { Results } from '../../../model/results.ts'
import { CellSetJsonWriter } from '../../../wire/rest/cell-set-json.ts'
import { CellSetProtobufWriter } from '../../../wire/rest/cell-set-protobuf.ts'
import type { CellSetWriter } from '../../../wire/rest/cell-set-writer.ts'
import { CellSetXmlWriter } from '../../../wire/rest/cell-set-xml.ts'
import { base64LinesWriter, textDocumentWriter, textLinesWriter } from '../../../wire/rest/json-rows.ts'
import { OutputBuffer } from '../../../wire/rest/output-buffer.ts'
import type { Answer } from '../http/answer.ts'
import { JSON_TYPE, type Negotiated, PROTOBUF, PROTOBUF_IETF, XML } from '../http/media-type.ts'
import { NDJSON, type RowsType, TEXT_JSON, TEXT_NDJSON } from '../http/rows-type.ts'

/** Bytes reserved per byte of cells: base64 takes four thirds, and JSON adds the names of members. */
export const OUTPUT_RATIO = 2
const OUTPUT_EXTRA_BYTES = 256

export function cellSetWriter(type: RowsType): CellSetWriter {
  switch (type) {
    case JSON_TYPE:
      return new CellSetJsonWriter()
    case XML:
      return new CellSetXmlWriter()
    case TEXT_JSON:
      return textDocumentWriter()
    case TEXT_NDJSON:
      return textLinesWriter()
    case NDJSON:
      return base64LinesWriter()
    case PROTOBUF:
    case PROTOBUF_IETF:
      return new CellSetProtobufWriter()
  }
}

/** Writes each result that has cells as a row. */
function writeRows(writer: CellSetWriter, out: OutputBuffer, results: Results): void {
  const cursor = new CellCursor(results.cells)
  for (const count of results.counts) {
    for (let i = 0; i < count; i++) {
      cursor.next()
      if (i === 0) writer.startRow(out, cursor)
      writer.cell(out, cursor)
    }
  }
}

/** A buffer with room for the encoded form of most results. */
export function outputFor({ cells }: Results): OutputBuffer {
  return new OutputBuffer(cells.byteLength * OUTPUT_RATIO + OUTPUT_EXTRA_BYTES)
}

/** Bytes of cells written before other requests get a turn. */
const STRETCH_BYTES = 64 * 1024
/** Bytes that a result counts for besides its cells. */
const RESULT_BYTES = 32
const LARGE_BYTES = 512 * 1024
/** Cells up to this size are written into one buffer and copied from it: to make a buffer with its view takes longer than such a copy. */
const SMALL_BYTES = 2 * 1024

const smallOutput = new OutputBuffer()

/** A promise for a large answer: the memory of the results must stay valid until it resolves. */
export function cellSetAnswer(results: Results, form: Negotiated<RowsType>): Answer | Promise<Answer> {
  if (results.cells.byteLength > LARGE_BYTES) return manyATurn(cellSetInSteps(results, form))
  const isSmall = results.cells.byteLength <= SMALL_BYTES
  const out = isSmall ? smallOutput : outputFor(results)
  // Writing may have failed before.
  out.clear()
  const writer = cellSetWriter(form.type)
  writer.begin(out)
  writeRows(writer, out, results)
  writer.end(out)
  return isSmall ? { status: 200, contentType: form.contentType, body: out.copied() } : answerOf(out, form)
}

function* cellSetInSteps(results: Results, form: Negotiated<RowsType>): Generator<void, Answer> {
  const out = outputFor(results)
  const writer = cellSetWriter(form.type)
  writer.begin(out)
  yield* rowsInSteps(writer, out, results)
  writer.end(out)
  return answerOf(out, form)
}

/** As writeRows; a promise for large results, whose memory must stay valid until it resolves. */
export function writePage(writer: CellSetWriter, out: OutputBuffer, results: Results): void | Promise<void> {
  if (results.cells.byteLength > LARGE_BYTES) return manyATurn(rowsInSteps(writer, out, results))
  writeRows(writer, out, results)
}

function* rowsInSteps(writer: CellSetWriter, out: OutputBuffer, results: Results): Generator<void, void> {
  const cursor = new CellCursor(results.cells)
  let left = STRETCH_BYTES
  for (const count of results.counts) {
    left -= RESULT_BYTES
    for (let i = 0; i < count; i++) {
      cursor.next()
      if (i === 0) writer.startRow(out, cursor)
      writer.cell(out, cursor)
      left -= cursor.cellLength
      if (left > 0) continue
      left = STRETCH_BYTES
      yield
    }
  }
}

function answerOf({ buffer, length }: OutputBuffer, { contentType }: Negotiated<RowsType>): Answer {
  return { status: 200, contentType, body: buffer.subarray(0, length) }
}

/** The value of the first cell, with its timestamp in a header. Copies lent memory, since the answer is written later. */
export function firstCellAnswer({ cells, loan }: Results, contentType: string): Answer {
  const cursor = new CellCursor(cells)
  if (!cursor.next()) throw new HBaseError('IO', 'a result without cells')
  const { value, timestamp } = cursor.parts()
  const body = loan === undefined ? value : Buffer.from(value)
  return { status: 200, contentType, headers: { 'X-Timestamp': String(timestamp) }, body }
}
