/**
 * Rows as lines of JSON: `{"key":text,"cells":[{"column":text,"timestamp":integer,"value":text}, ...]}`, the form that REST answers as
 * `application/x-ndjson;cells=text`. Delete markers also have a `type`. Text is exact: bytes that are no character become `\xHH`.
 */

import { equalRange } from '../../model/bytes.ts'
import { CellType } from '../../model/cell.ts'
import { type CellBlock, CellCursor } from '../../model/cell-block.ts'
import { splitColumn } from '../../model/column-name.ts'
import type { Results } from '../../model/results.ts'
import { writeEscapedJson } from '../../wire/rest/escaped-json.ts'
import { OutputBuffer } from '../../wire/rest/output-buffer.ts'
import { TIMESTAMP_DIGITS_MAX, writeTimestampText } from '../../wire/text/decimal.ts'
import { unescapedText } from '../../wire/text/escaped-text.ts'
import { parseInt64 } from '../../wire/text/int64-text.ts'
import { type JsonValue, parseJson } from '../../wire/text/json-value.ts'
import { type CellWriter, MalformedFile, type ReadCells } from './cell-format.ts'
import { typeName, typeNamed } from './cell-type-names.ts'
import { type FileCell, GatheredCells } from './gathered-cells.ts'
import { plainRowLine } from './plain-row-line.ts'
import { textLines } from './text-lines.ts'

const LIMITS = { depthMax: 8, batchMax: Number.MAX_SAFE_INTEGER, elementsMax: Number.MAX_SAFE_INTEGER }

/** The most characters of a line. A longer row continues on another line, since an import holds a whole line in memory. */
const LINE_LENGTH_MAX = 16 * 1024 * 1024

export function rowLinesWriter(): CellWriter {
  const lines = new RowLines()
  return {
    begin: () => Buffer.alloc(0),
    results: ({ cells, counts }: Results) => lines.add(cells, counts),
    end: () => lines.end(),
  }
}

const KEY = ascii('{"key":"')
const CELLS = ascii('","cells":[')
const FIRST_COLUMN = ascii('{"column":"')
const NEXT_COLUMN = ascii(',{"column":"')
const COLON = ascii(':')
const TIMESTAMP = ascii('","timestamp":')
const VALUE = ascii(',"value":"')
const CELL_END = ascii('"}')
const ROW_END = ascii(']}\n')
/** The types of markers, by their code; puts have none. */
const MARKERS = new Map<number, Buffer>()

function ascii(text: string): Buffer {
  return Buffer.from(text, 'latin1')
}

/** The last row's line is open: the next results may continue it. */
class RowLines {
  readonly #out = new OutputBuffer()
  #row: Buffer | undefined
  /** Bytes of the open line that were returned before. */
  #returned = 0

  /** Adds results. Returns their lines, the last one without its end. */
  add(cells: CellBlock, counts: readonly number[]): Buffer {
    const out = this.#out
    const cursor = new CellCursor(cells)
    let lineStart = 0
    for (const count of counts) {
      for (let i = 0; i < count; i++) {
        cursor.next()
        const goesOn = this.#isSameRow(cursor) && this.#returned + out.length - lineStart < LINE_LENGTH_MAX
        if (!goesOn) {
          this.#endLine()
          lineStart = out.length
          this.#returned = 0
          this.#beginLine(cursor)
        }
        this.#addCell(cursor, goesOn)
      }
    }
    this.#returned += out.length - lineStart
    return out.take()
  }

  #isSameRow({ buffer, rowOffset, rowLength }: CellCursor): boolean {
    const row = this.#row
    return row !== undefined && equalRange(row, 0, row.length, buffer, rowOffset, rowLength)
  }

  #beginLine({ buffer, rowOffset, rowLength }: CellCursor): void {
    this.#row = Buffer.from(buffer.subarray(rowOffset, rowOffset + rowLength))
    this.#out.append(KEY)
    writeEscapedJson(this.#out, buffer, rowOffset, rowLength)
    this.#out.append(CELLS)
  }

  #addCell(cursor: CellCursor, goesOn: boolean): void {
    const out = this.#out
    const { buffer, type } = cursor
    out.append(goesOn ? NEXT_COLUMN : FIRST_COLUMN)
    writeEscapedJson(out, buffer, cursor.familyOffset, cursor.familyLength)
    out.append(COLON)
    writeEscapedJson(out, buffer, cursor.qualifierOffset, cursor.qualifierLength)
    out.append(TIMESTAMP)
    const at = out.reserve(TIMESTAMP_DIGITS_MAX)
    out.length = writeTimestampText(out.buffer, at, cursor.timestampHigh, cursor.timestampLow)
    if (type !== CellType.Put) out.append(markerText(type))
    out.append(VALUE)
    writeEscapedJson(out, buffer, cursor.valueOffset, cursor.valueLength)
    out.append(CELL_END)
  }

  #endLine(): void {
    if (this.#row !== undefined) this.#out.append(ROW_END)
    this.#row = undefined
  }

  /** The end of the last line. */
  end(): Buffer {
    this.#endLine()
    return this.#out.take()
  }
}

function markerText(type: number): Buffer {
  let text = MARKERS.get(type)
  if (text === undefined) {
    text = ascii(`,"type":"${typeName(type)}"`)
    MARKERS.set(type, text)
  }
  return text
}

export async function* readRowLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<ReadCells> {
  const gathered = new GatheredCells()
  for await (const { bytes, number } of textLines(chunks)) {
    if (bytes.length === 0) continue
    const place = `line ${number}`
    for (const cell of plainRowLine(bytes) ?? cellsOfLine(bytes, place)) gathered.add(cell, place)
    if (gathered.isFull) yield gathered.take()
  }
  yield gathered.take()
}

function cellsOfLine(line: Buffer, place: string): FileCell[] {
  try {
    const row = membersOf(parseJson(line, LIMITS))
    const key = bytesOf(row.get('key'), 'key')
    const cells = row.get('cells')
    if (cells?.kind !== 'array') throw new MalformedFile('"cells" must be a list')
    return cells.value.map((cell) => cellOf(key, membersOf(cell)))
  } catch (error) {
    throw new MalformedFile(`${place}: ${(error as Error).message}`)
  }
}

function membersOf(value: JsonValue): ReadonlyMap<string, JsonValue> {
  if (value.kind === 'object') return value.value
  throw new MalformedFile('an object was expected')
}

function cellOf(row: Buffer, cell: ReadonlyMap<string, JsonValue>): FileCell {
  const { family, qualifier = Buffer.alloc(0) } = splitColumn(bytesOf(cell.get('column'), 'column'))
  const time = cell.get('timestamp')
  if (time?.kind !== 'number' && time?.kind !== 'string') throw new MalformedFile('"timestamp" is missing')
  const stated = cell.get('type')
  const type = stated === undefined ? CellType.Put : typeNamed(stated.kind === 'string' ? stated.value : '')
  if (type === undefined) throw new MalformedFile('"type" is of no cell')
  const value = cell.has('value') ? bytesOf(cell.get('value'), 'value') : Buffer.alloc(0)
  return { row, family, qualifier, timestamp: parseInt64(time.value), type, value }
}

function bytesOf(value: JsonValue | undefined, name: string): Buffer {
  if (value?.kind !== 'string') throw new MalformedFile(`"${name}" must be a text`)
  return unescapedText(value.value)
}
