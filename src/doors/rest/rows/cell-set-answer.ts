/** Answers that carry cells, in the negotiated form. */

import { CellCursor } from '../../../model/cell-block.ts'
import { HBaseError } from '../../../model/errors.ts'
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

/** Bytes reserved for a byte of cells: base64 takes four thirds, and JSON adds the names of members. */
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

/** Writes each result that has cells as a row; returns the number of rows. */
export function writeRows(writer: CellSetWriter, out: OutputBuffer, results: Results): number {
  const cursor = new CellCursor(results.cells)
  let rows = 0
  for (const count of results.counts) {
    for (let i = 0; i < count; i++) {
      cursor.next()
      if (i === 0) writer.startRow(out, cursor)
      writer.cell(out, cursor)
    }
    if (count > 0) rows++
  }
  return rows
}

/** A buffer with room for what mostly comes of the results. */
export function outputFor({ cells }: Results): OutputBuffer {
  return new OutputBuffer(cells.byteLength * OUTPUT_RATIO + OUTPUT_EXTRA_BYTES)
}

export function cellSetAnswer(results: Results, form: Negotiated<RowsType>): Answer {
  const out = outputFor(results)
  const writer = cellSetWriter(form.type)
  writer.begin(out)
  writeRows(writer, out, results)
  writer.end(out)
  return { status: 200, contentType: form.contentType, body: out.buffer.subarray(0, out.length) }
}

/** The value of the first cell, its timestamp in a header. Copies lent memory, since the answer is written later. */
export function firstCellAnswer({ cells, loan }: Results, contentType: string): Answer {
  const cursor = new CellCursor(cells)
  if (!cursor.next()) throw new HBaseError('IO', 'a result without cells')
  const { value, timestamp } = cursor.parts()
  const body = loan === undefined ? value : Buffer.from(value)
  return { status: 200, contentType, headers: { 'X-Timestamp': String(timestamp) }, body }
}
