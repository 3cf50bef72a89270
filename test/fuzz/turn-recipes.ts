/** Requests that each take long, made of a recipe of a few words and numbers, for every door. */

import { create, toBinary } from '@bufbuild/protobuf'
import { printFilterJson } from '../../src/filter/json/print-filter-json.ts'
import { printFilterString } from '../../src/filter/language/print-filter-string.ts'
import { filterMessage } from '../../src/filter/protobuf/encode-filter.ts'
import { HBaseError } from '../../src/model/errors.ts'
import type { Filter, FuzzyKey, RowRange } from '../../src/model/filter.ts'
import { encodeConnectionStart } from '../../src/wire/rpc/connection-preamble.ts'
import { ClientService, ScanRequestSchema } from '../../src/wire/rpc/gen/client_pb.ts'
import { MessageWriter } from '../../src/wire/rpc/message-writer.ts'
import { writeRequest } from '../../src/wire/rpc/request-frame.ts'
import { mutateRows } from '../harness/thrift-frames.ts'

export const TABLE = 'turns'

export interface Recipe {
  readonly kind: string
  /** Parts of the request: filters, keys, rows, columns. */
  readonly count: number
  /** Bytes of each. */
  readonly bytes: number
  /** The next part's number is so much more, so that parts are in order, in none, or alike. */
  readonly step: number
}

/** The door's name, and what is sent to it, one connection after the other. */
export interface HostileBytes {
  readonly door: 'rest' | 'thrift' | 'rpc'
  readonly bytes: Buffer
}

const COUNT_MAX = 60_000
const TOTAL_BYTES_MAX = 4_000_000

/** Throws ILLEGAL_ARGUMENT for what is no recipe. Numbers that are too large are made smaller. */
export function recipeOf(input: Buffer): Recipe {
  const match = /^([a-z- ]+) (\d{1,12}) (\d{1,12}) (\d{1,12})$/.exec(input.toString('latin1'))
  if (match === null || !KINDS.has(match[1]!)) throw new HBaseError('ILLEGAL_ARGUMENT', 'no recipe')
  const bytes = 1 + (Number(match[3]) % 2000)
  const count = Math.min(Number(match[2]), COUNT_MAX, Math.ceil(TOTAL_BYTES_MAX / (bytes + 20)))
  return { kind: match[1]!, count, bytes, step: Number(match[4]) }
}

function parts({ count, bytes, step }: Recipe): Buffer[] {
  return Array.from({ length: count }, (_, i) => {
    const number = String((i * step) % Math.max(1, count)).padStart(7, '0')
    return Buffer.from(`r${number}`.padEnd(bytes, 'x'))
  })
}

type MakeFilter = (parts: readonly Buffer[], step: number) => Filter

function nested(filter: Filter, depth: number): Filter {
  return depth === 0
    ? filter
    : nested({ kind: 'FilterList', operator: 'MUST_PASS_ALL', filters: [filter] }, depth - 1)
}

const FILTERS: Readonly<Record<string, MakeFilter>> = {
  list: (keys) => listOf(keys.map((prefix) => ({ kind: 'PrefixFilter', prefix }))),
  rows: (keys) =>
    listOf(
      keys.map((value) => ({
        kind: 'RowFilter',
        operator: 'EQUAL',
        comparator: { kind: 'BinaryComparator', value },
      })),
    ),
  substrings: (keys) =>
    listOf(
      keys.map((key) => ({
        kind: 'ValueFilter',
        operator: 'EQUAL',
        comparator: { kind: 'SubstringComparator', substring: key.toString() },
      })),
    ),
  patterns: (keys) =>
    listOf(
      keys.slice(0, 2000).map((key) => ({
        kind: 'ValueFilter',
        operator: 'EQUAL',
        comparator: {
          kind: 'RegexStringComparator',
          pattern: `(a|b)*${key.toString()}[^c]`,
          flags: 0,
          charset: 'UTF-8',
          engine: 'JAVA',
        },
      })),
    ),
  nested: (keys, step) =>
    nested(listOf(keys.map((prefix) => ({ kind: 'ColumnPrefixFilter', prefix }))), step % 100),
  ranges: (keys) => ({
    kind: 'MultiRowRangeFilter',
    ranges: keys.map(
      (key): RowRange => ({ startRow: key, includeStartRow: true, stopRow: key, includeStopRow: true }),
    ),
  }),
  fuzzy: (keys, step) => ({
    kind: 'FuzzyRowFilter',
    isMaskV2: true,
    keys: keys.map((row): FuzzyKey => ({ row, mask: Buffer.alloc(row.length, step % 2 === 0 ? 0 : 1) })),
  }),
  prefixes: (keys) => ({
    kind: 'MultipleColumnPrefixFilter',
    prefixes: [...new Map(keys.map((key) => [key.toString(), key])).values()],
  }),
  times: (keys, step) => ({
    kind: 'TimestampsFilter',
    canHint: step % 2 === 1,
    timestamps: keys.map((_, i) => BigInt(i) * BigInt(step)),
  }),
}

function listOf(filters: Filter[]): Filter {
  return { kind: 'FilterList', operator: 'MUST_PASS_ONE', filters }
}

type Make = (recipe: Recipe) => HostileBytes

function http(head: string, body: Buffer | string): HostileBytes {
  const bytes = Buffer.from(body)
  const headers = `${head}\r\nhost: x\r\nconnection: close\r\ncontent-length: ${bytes.length}\r\n\r\n`
  return { door: 'rest', bytes: Buffer.concat([Buffer.from(headers), bytes]) }
}

function filtered(make: MakeFilter, send: (filter: Filter) => HostileBytes): Make {
  return (recipe) => send(make(parts(recipe), recipe.step))
}

/** Throws ILLEGAL_ARGUMENT for a filter that the form does not have. */
function inForm<Form>(printed: Form | undefined): Form {
  if (printed === undefined) throw new HBaseError('ILLEGAL_ARGUMENT', 'no such form')
  return printed
}

function restScanner(filter: string): HostileBytes {
  return http(
    `PUT /${TABLE}/scanner HTTP/1.1\r\ncontent-type: text/xml`,
    `<Scanner batch="10"><filter>${escaped(filter)}</filter></Scanner>`,
  )
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

function rpcScan(filter: Filter): HostileBytes {
  const region = { type: 1, value: Buffer.from(`${TABLE},,1`) } as const
  const scan = { filter: filterMessage(filter) }
  const parameter = toBinary(ScanRequestSchema, create(ScanRequestSchema, { region, scan, numberOfRows: 10 }))
  const method = {
    service: ClientService.name,
    name: ClientService.method.scan.name,
    encode: (bytes: Uint8Array, to: MessageWriter): void => to.raw(Buffer.from(bytes)),
    decode: (): undefined => undefined,
  }
  const writer = new MessageWriter()
  writeRequest(writer, { callId: 1, priority: 0, timeoutMs: 60_000 }, method, parameter, [])
  const start = encodeConnectionStart({ service: ClientService.name, user: 'ann' })
  return { door: 'rpc', bytes: Buffer.concat([start, Buffer.from(writer.take())]) }
}

const base64 = (bytes: Buffer): string => bytes.toString('base64')

const REQUESTS: Readonly<Record<string, Make>> = {
  'rest put rows': (recipe) => {
    const Cell = [{ column: 'ZjpxMQ==', $: 'dg==' }]
    const Row = parts(recipe).map((key) => ({ key: base64(key), Cell }))
    return http(`PUT /${TABLE}/x HTTP/1.1\r\ncontent-type: application/json`, JSON.stringify({ Row }))
  },
  'rest put rows as xml': (recipe) => {
    const rows = parts(recipe).map(
      (key) => `<Row key="${base64(key)}"><Cell column="ZjpxMQ==">dg==</Cell></Row>`,
    )
    return http(`PUT /${TABLE}/x HTTP/1.1\r\ncontent-type: text/xml`, `<CellSet>${rows.join('')}</CellSet>`)
  },
  'rest multiget': (recipe) =>
    http(
      `POST /${TABLE}/multiget HTTP/1.1\r\ncontent-type: application/x-www-form-urlencoded\r\naccept: application/json`,
      parts(recipe)
        .map((key) => `row=${key.toString()}/f:q1`)
        .join('&'),
    ),
  'rest scan': () => http(`GET /${TABLE}/* HTTP/1.1\r\naccept: application/json`, ''),
  'thrift put rows': (recipe) => ({
    door: 'thrift',
    bytes: mutateRows(TABLE, parts(recipe).map(String), 'f:q1', 'v'),
  }),
}

const KINDS: ReadonlyMap<string, Make> = new Map<string, Make>([
  ...Object.entries(REQUESTS),
  ...Object.entries(FILTERS).flatMap(([name, make]): (readonly [string, Make])[] => [
    [`rpc ${name}`, filtered(make, rpcScan)],
    [`rest ${name} as json`, filtered(make, (filter) => restScanner(inForm(printFilterJson(filter))))],
    [
      `rest ${name} as text`,
      filtered(make, (filter) => restScanner(String(inForm(printFilterString(filter))))),
    ],
  ]),
])

/** Throws ILLEGAL_ARGUMENT where there is no such request. */
export function requestOf(recipe: Recipe): HostileBytes {
  return KINDS.get(recipe.kind)!(recipe)
}

/** A recipe of each kind, of many parts in no order. */
export const RECIPES: readonly string[] = [...KINDS.keys()].map((kind) => `${kind} 30000 12 7919`)
