/**
 * Parses the path of rows: `row[/column,column...[/timestamp]]`. The row may be `start,end` or `prefix*`, the timestamp `start,end`.
 * HBase: org.apache.hadoop.hbase.rest.RowSpec.
 * QUIRK rest-row-json-r1-v-x: a path that cannot be parsed is a 500.
 */

import { compareBytes } from '../../../model/bytes.ts'
import { messageOf } from '../../../model/message-of.ts'
import { LATEST_TIMESTAMP } from '../../../model/timestamp.ts'
import { unescapedText } from '../../../wire/text/escaped-text.ts'
import { parseInt32, parseInt64 } from '../../../wire/text/int64-text.ts'
import { Refusal } from '../http/errors.ts'
import { percentDecode } from '../http/percent.ts'

export interface RowSpec {
  readonly row: Buffer
  /** Exclusive. Undefined: a single row; EMPTY: to the end of the table. */
  readonly endRow: Buffer | undefined
  /** `family` or `family:qualifier`, in byte order, without duplicates. */
  readonly columns: readonly Buffer[]
  readonly startTime: bigint
  readonly endTime: bigint
  readonly maxVersions: number
}

const STAR = 0x2a
const SLASH = 0x2f

const NO_COLUMNS: readonly Buffer[] = []
const ALL_TIMES = { startTime: 0n, endTime: LATEST_TIMESTAMP }

/**
 * `path`: percent-encoded; `encoding`: a second encoding of keys that the client names. Throws Refusal 500, or 404 for a path of more than
 * three parts, on which HBase hangs.
 */
export function parseRowSpec(path: string, versions: string | null, encoding: string | null): RowSpec {
  let start = 0
  while (path.charCodeAt(start) === SLASH) start++
  const rowsEnd = endOfPart(path, start)
  const columnsEnd = endOfPart(path, rowsEnd + 1)
  const timesEnd = endOfPart(path, columnsEnd + 1)
  const { row, endRow } = parseRows(path.slice(start, rowsEnd))
  const columns = parseColumns(path.slice(rowsEnd + 1, columnsEnd))
  const { startTime, endTime } = parseTimes(path.slice(columnsEnd + 1, timesEnd))
  if (timesEnd + 1 < path.length) {
    throw new Refusal(404, `a row's path has at most three parts, row/columns/timestamps: ${path}`)
  }
  const maxVersions = versions === null ? 1 : parsedOrRefused(() => parseInt32(versions))
  if (encoding === null) return { row, endRow, columns, startTime, endTime, maxVersions }
  const decode = keyDecoder(encoding)
  return {
    row: decode(row),
    endRow: endRow && decode(endRow),
    columns: columns.map(decode),
    startTime,
    endTime,
    maxVersions,
  }
}

/** The offset of the slash that ends the part at `start`, or the length of the path. */
function endOfPart(path: string, start: number): number {
  const slash = path.indexOf('/', start)
  return slash < 0 ? path.length : slash
}

/** True where the path has no timestamps. */
export function hasAllTimes({ startTime, endTime }: RowSpec): boolean {
  return startTime === 0n && endTime === LATEST_TIMESTAMP
}

/** True where the path has a single timestamp. A delete then removes the versions up to it. */
export function hasTimestamp(spec: RowSpec): boolean {
  return spec.startTime === 0n && spec.endTime !== LATEST_TIMESTAMP
}

function parseRows(text: string): { row: Buffer; endRow: Buffer | undefined } {
  const comma = text.indexOf(',')
  const row = percentDecode(comma < 0 ? text : text.slice(0, comma), true)
  const endRow = comma < 0 ? undefined : percentDecode(text.slice(comma + 1), true)
  if (row.length === 0) throw new Refusal(500, 'the path has no row')
  if (row.at(-1) !== STAR) return { row, endRow }
  if (endRow !== undefined) throw new Refusal(500, 'invalid path: start row specified with wildcard')
  const prefix = row.subarray(0, -1)
  return { row: prefix, endRow: Buffer.concat([prefix, Buffer.of(0xff)]) }
}

function parseColumns(text: string): readonly Buffer[] {
  if (text.length === 0) return NO_COLUMNS
  if (!text.includes(',')) return [percentDecode(text, true)]
  const parts = text.split(',')
  if (parts.at(-1) === '') parts.pop()
  if (parts.includes('')) throw new Refusal(500, 'invalid path: an empty column')
  const columns = parts.map((part) => percentDecode(part, true)).sort(compareBytes)
  return columns.filter((column, index) => index === 0 || !column.equals(columns[index - 1]!))
}

function parseTimes(text: string): Pick<RowSpec, 'startTime' | 'endTime'> {
  if (text.length === 0) return ALL_TIMES
  const comma = text.indexOf(',')
  const first = parseTime(comma < 0 ? text : text.slice(0, comma))
  const second = comma < 0 ? 0n : parseTime(text.slice(comma + 1))
  return second === 0n ? { startTime: 0n, endTime: first } : { startTime: first, endTime: second }
}

function parseTime(text: string): bigint {
  return parsedOrRefused(() => parseInt64(percentDecode(text, true).toString()))
}

function parsedOrRefused<T>(parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    throw new Refusal(500, messageOf(error))
  }
}

const URL_ENCODINGS: ReadonlySet<string> = new Set(['b64', 'base64', 'b64url', 'base64url'])
const BASIC_ENCODINGS: ReadonlySet<string> = new Set(['b64basic', 'base64basic'])

/** Tidegate's own encoding: keys and columns as answers with `cells=text` have them. */
const TEXT_ENCODING = 'text'

function keyDecoder(encoding: string): (key: Buffer) => Buffer {
  if (encoding === TEXT_ENCODING) return (key) => parsedOrRefused(() => unescapedText(key.toString()))
  const isUrl = URL_ENCODINGS.has(encoding)
  if (!isUrl && !BASIC_ENCODINGS.has(encoding)) throw new Refusal(500, `unknown key encoding '${encoding}'`)
  const alphabet = isUrl ? /^[\w-]*={0,2}$/ : /^[A-Za-z\d+/]*={0,2}$/
  return (key) => {
    const text = key.toString('latin1')
    const digits = text.replace(/=+$/, '')
    const padded = text.length !== digits.length
    if (!alphabet.test(text) || digits.length % 4 === 1 || (padded && text.length % 4 !== 0)) {
      throw new Refusal(500, `"${text}" is not ${encoding}`)
    }
    return Buffer.from(text, isUrl ? 'base64url' : 'base64')
  }
}
