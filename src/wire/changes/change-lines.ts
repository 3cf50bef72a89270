/**
 * Changed rows as lines of JSON, in the two forms in which REST writes rows as lines, with the type of each cell and a token behind:
 *
 *     {"key":text,"cells":[{"column":text,"timestamp":integer,"type":"Put","value":text}, ...],"token":text}
 *     {"key":base64,"Cell":[{"column":base64,"timestamp":integer,"type":"Put","$":base64}, ...],"token":text}
 *
 * Text is exact: bytes that are no character become `\xHH`.
 */

import { CellType } from '../../model/cell.ts'
import { type CellBlock, CellCursor } from '../../model/cell-block.ts'
import { writeEscapedJson } from '../rest/escaped-json.ts'
import type { OutputBuffer } from '../rest/output-buffer.ts'
import { TIMESTAMP_DIGITS_MAX, writeTimestampText } from '../text/decimal.ts'

export type LineForm = 'text' | 'base64'

/** HBase's names of the types. */
const TYPES: ReadonlyMap<number, string> = new Map([
  [CellType.Put, 'Put'],
  [CellType.Delete, 'Delete'],
  [CellType.DeleteFamilyVersion, 'DeleteFamilyVersion'],
  [CellType.DeleteColumn, 'DeleteColumn'],
  [CellType.DeleteFamily, 'DeleteFamily'],
])

interface Words {
  readonly cells: Buffer
  readonly value: Buffer
}

const KEY = ascii('{"key":"')
const FIRST_COLUMN = ascii('{"column":"')
const NEXT_COLUMN = ascii(',{"column":"')
const COLON = ascii(':')
const TIMESTAMP = ascii('","timestamp":')
const CELL_END = ascii('"}')
const WORDS: Readonly<Record<LineForm, Words>> = {
  text: { cells: ascii('","cells":['), value: ascii(',"value":"') },
  base64: { cells: ascii('","Cell":['), value: ascii(',"$":"') },
}
const TYPE_TEXTS: ReadonlyMap<number, Buffer> = new Map(
  [...TYPES].map(([type, name]) => [type, ascii(`,"type":"${name}"`)]),
)

function ascii(text: string): Buffer {
  return Buffer.from(text, 'latin1')
}

/** Appends the line of the cells, which are of one row. It ends with its brace: a line end is the caller's. */
export function writeChangeLine(out: OutputBuffer, form: LineForm, cells: CellBlock, token: string): void {
  const write = form === 'text' ? writeEscapedJson : writeBase64
  const words = WORDS[form]
  const cursor = new CellCursor(cells)
  for (let isFirst = true; cursor.next(); isFirst = false) {
    const { buffer, familyOffset, familyLength, qualifierOffset, qualifierLength } = cursor
    if (isFirst) {
      out.append(KEY)
      write(out, buffer, cursor.rowOffset, cursor.rowLength)
      out.append(words.cells)
    }
    out.append(isFirst ? FIRST_COLUMN : NEXT_COLUMN)
    if (form === 'text') {
      write(out, buffer, familyOffset, familyLength)
      out.append(COLON)
      write(out, buffer, qualifierOffset, qualifierLength)
    } else {
      const family = buffer.subarray(familyOffset, familyOffset + familyLength)
      const qualifier = buffer.subarray(qualifierOffset, qualifierOffset + qualifierLength)
      out.append(ascii(Buffer.concat([family, COLON, qualifier]).toString('base64')))
    }
    out.append(TIMESTAMP)
    const at = out.reserve(TIMESTAMP_DIGITS_MAX)
    out.length = writeTimestampText(out.buffer, at, cursor.timestampHigh, cursor.timestampLow)
    out.append(TYPE_TEXTS.get(cursor.type) ?? ascii(`,"type":"${cursor.type}"`))
    out.append(words.value)
    write(out, buffer, cursor.valueOffset, cursor.valueLength)
    out.append(CELL_END)
  }
  out.append(ascii(`],"token":"${token}"}`))
}

function writeBase64(out: OutputBuffer, source: Buffer, start: number, length: number): void {
  out.append(ascii(source.toString('base64', start, start + length)))
}
