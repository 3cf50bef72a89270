/**
 * Rows as lines of JSON: `{"key":text,"cells":[{"column":text,"timestamp":integer,"value":text}, ...]}`, the form that REST answers as
 * `application/x-ndjson;cells=text`. Delete markers also have a `type`. Text is exact: bytes that are no character become `\xHH`.
 */

import { CellType } from '../../model/cell.ts'
import { type CellBlock, CellCursor } from '../../model/cell-block.ts'
import { splitColumn } from '../../model/column-name.ts'
import type { Results } from '../../model/results.ts'
import { escapedText, unescapedText } from '../../wire/text/escaped-text.ts'
import { parseInt64 } from '../../wire/text/int64-text.ts'
import { type JsonValue, parseJson } from '../../wire/text/json-value.ts'
import { type CellWriter, MalformedFile, type ReadCells } from './cell-format.ts'
import { typeName, typeNamed } from './cell-type-names.ts'
import { type FileCell, GatheredCells } from './gathered-cells.ts'
import { textLines } from './text-lines.ts'

const LIMITS = { depthMax: 8, batchMax: Number.MAX_SAFE_INTEGER, elementsMax: Number.MAX_SAFE_INTEGER }

/** The most characters of a line. A longer row continues on another line, since an import holds a whole line in memory. */
const LINE_LENGTH_MAX = 16 * 1024 * 1024

export function rowLinesWriter(): CellWriter {
  const lines = new RowLines()
  return {
    begin: () => Buffer.alloc(0),
    results: ({ cells, counts }: Results) => Buffer.from(lines.add(cells, counts)),
    end: () => Buffer.from(lines.endLine()),
  }
}

/** Holds the line of the last row, which the next results may continue. */
class RowLines {
  #row: Buffer | undefined
  #line = ''

  /** Adds results. Returns the lines that are now complete. */
  add(cells: CellBlock, counts: readonly number[]): string {
    const cursor = new CellCursor(cells)
    let lines = ''
    for (const count of counts) {
      for (let i = 0; i < count; i++) {
        cursor.next()
        const { row, family, qualifier, timestamp, type, value } = cursor.parts()
        const goesOn = this.#row?.equals(row) === true && this.#line.length < LINE_LENGTH_MAX
        if (!goesOn) {
          lines += this.endLine()
          this.#row = Buffer.from(row)
          this.#line = `{"key":${jsonText(row)},"cells":[`
        }
        const column = jsonText(Buffer.concat([family, Buffer.from(':'), qualifier]))
        const typed = type === CellType.Put ? '' : `,"type":"${typeName(type)}"`
        this.#line += `${goesOn ? ',' : ''}{"column":${column},"timestamp":${timestamp}${typed},"value":${jsonText(value)}}`
      }
    }
    return lines
  }

  endLine(): string {
    const line = this.#row === undefined ? '' : `${this.#line}]}\n`
    this.#row = undefined
    this.#line = ''
    return line
  }
}

function jsonText(bytes: Buffer): string {
  return JSON.stringify(escapedText(bytes))
}

export async function* readRowLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<ReadCells> {
  const gathered = new GatheredCells()
  for await (const { bytes, number } of textLines(chunks)) {
    if (bytes.length === 0) continue
    const place = `line ${number}`
    for (const cell of cellsOfLine(bytes, place)) gathered.add(cell, place)
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
