/**
 * Rows as lines of JSON: `{"key":text,"cells":[{"column":text,"timestamp":integer,"value":text}, ...]}`, the form that REST answers as
 * `application/x-ndjson;cells=text`. Markers of deletes have their `type` beside. Text is exact: bytes that are no character are
 * `\xHH`.
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

export function rowLinesWriter(): CellWriter {
  return {
    begin: () => Buffer.alloc(0),
    results: ({ cells, counts }: Results) => Buffer.from(linesOf(cells, counts)),
    end: () => Buffer.alloc(0),
  }
}

function linesOf(cells: CellBlock, counts: readonly number[]): string {
  const cursor = new CellCursor(cells)
  let text = ''
  for (const count of counts) {
    for (let i = 0; i < count; i++) {
      cursor.next()
      const { row, family, qualifier, timestamp, type, value } = cursor.parts()
      if (i === 0) text += `{"key":${jsonText(row)},"cells":[`
      const column = jsonText(Buffer.concat([family, Buffer.from(':'), qualifier]))
      const typed = type === CellType.Put ? '' : `,"type":"${typeName(type)}"`
      text += `${i === 0 ? '' : ','}{"column":${column},"timestamp":${timestamp}${typed},"value":${jsonText(value)}}`
    }
    if (count > 0) text += ']}\n'
  }
  return text
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
