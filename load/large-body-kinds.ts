/** Large bodies: what clients send, and what a hostile client sends to hold up the server. */

const STRING = 11
const STRUCT = 12
const LIST = 15
const BOOL = 2
const ROWS = 100_000
const HOSTILE_BYTES = 50 * 1024 * 1024

export type LargeBody =
  | { readonly kind: 'thrift'; readonly frame: Buffer }
  | {
      readonly kind: 'rest'
      readonly path: string
      readonly contentType: string
      readonly bytes: Buffer
    }

export interface BodyKind {
  readonly name: string
  readonly make: () => LargeBody
}

export function largeBodies(table: string): readonly BodyKind[] {
  return [
    { name: 'JSON, 100,000 rows', make: () => rest(table, 'application/json', json(ROWS)) },
    { name: 'JSON, 1,000,000 rows', make: () => rest(table, 'application/json', json(1_000_000)) },
    { name: 'XML, 100,000 rows', make: () => rest(table, 'text/xml', xml(ROWS)) },
    { name: 'XML, 1,000,000 rows', make: () => rest(table, 'text/xml', xml(1_000_000)) },
    { name: 'protobuf, 100,000 rows', make: () => rest(table, 'application/x-protobuf', protobuf(ROWS)) },
    {
      name: 'protobuf, 50 MB of empty rows',
      make: () => rest(table, 'application/x-protobuf', Buffer.alloc(HOSTILE_BYTES, Buffer.of(0x0a, 0))),
    },
    { name: 'Thrift mutateRows, 100,000 rows', make: () => mutateRows(table) },
    { name: 'Thrift 2 putMultiple, 100,000', make: () => putMultiple(table) },
    {
      name: 'Thrift 2 deleteMultiple, 100,000',
      make: () => structs('deleteMultiple', table, ROWS, rowStruct),
    },
    { name: 'Thrift 2 getMultiple, 100,000', make: () => structs('getMultiple', table, ROWS, rowStruct) },
    {
      name: 'Thrift 2 getMultiple, 50 MB of rows',
      make: () => structs('getMultiple', table, HOSTILE_BYTES / 20, rowStruct),
    },
  ]
}

function rest(table: string, contentType: string, bytes: Buffer): LargeBody {
  return { kind: 'rest', path: `/${table}/rows`, contentType, bytes }
}

const VALUE = 'v'.repeat(60)
const base64 = (text: string): string => Buffer.from(text).toString('base64')
const keyOf = (row: number): string => `row${String(row).padStart(9, '0')}`

function json(count: number): Buffer {
  const cell = `"Cell":[{"column":"${base64('f:q')}","$":"${base64(VALUE)}"}]`
  const rows = Array.from({ length: count }, (_, row) => `{"key":"${base64(keyOf(row))}",${cell}}`)
  return Buffer.from(`{"Row":[${rows.join(',')}]}`)
}

function xml(count: number): Buffer {
  const cell = `<Cell column="${base64('f:q')}">${base64(VALUE)}</Cell>`
  const rows = Array.from({ length: count }, (_, row) => `<Row key="${base64(keyOf(row))}">${cell}</Row>`)
  return Buffer.from(`<CellSet>${rows.join('')}</CellSet>`)
}

function protobufField(id: number, bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.of((id << 3) | 2, bytes.length), bytes])
}

function protobuf(count: number): Buffer {
  const field = protobufField
  const cell = field(2, Buffer.concat([field(2, Buffer.from('f:q')), field(4, Buffer.from(VALUE))]))
  const row = (number: number): Buffer =>
    field(1, Buffer.concat([field(1, Buffer.from(keyOf(number))), cell]))
  return Buffer.concat(Array.from({ length: count }, (_, number) => row(number)))
}

function int32(number: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(number)
  return bytes
}

function bytesOf(text: string): Buffer {
  return Buffer.concat([int32(text.length), Buffer.from(text)])
}

function fieldOf(type: number, id: number, bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.of(type, 0, id), bytes])
}

function listOf(elements: readonly Buffer[]): Buffer {
  return Buffer.concat([Buffer.of(STRUCT), int32(elements.length), ...elements])
}

function call(method: string, table: string, list: Buffer): LargeBody {
  const parts = [int32(0x8001_0001 | 0), bytesOf(method), int32(1)]
  const args = [fieldOf(STRING, 1, bytesOf(table)), fieldOf(LIST, 2, list), Buffer.of(0)]
  const body = Buffer.concat([...parts, ...args])
  return { kind: 'thrift', frame: Buffer.concat([int32(body.length), body]) }
}

function mutateRows(table: string): LargeBody {
  const mutation = Buffer.concat([
    fieldOf(STRING, 2, bytesOf('f:q')),
    fieldOf(STRING, 3, bytesOf(VALUE)),
    fieldOf(BOOL, 4, Buffer.of(1)),
    Buffer.of(0),
  ])
  const mutations = fieldOf(LIST, 2, listOf([mutation]))
  const row = (number: number): Buffer =>
    Buffer.concat([fieldOf(STRING, 1, bytesOf(keyOf(number))), mutations, Buffer.of(0)])
  return call('mutateRows', table, listOf(Array.from({ length: ROWS }, (_, number) => row(number))))
}

function putMultiple(table: string): LargeBody {
  const column = Buffer.concat([
    fieldOf(STRING, 1, bytesOf('f')),
    fieldOf(STRING, 2, bytesOf('q')),
    fieldOf(STRING, 3, bytesOf(VALUE)),
    Buffer.of(0),
  ])
  const columns = fieldOf(LIST, 2, listOf([column]))
  const put = (number: number): Buffer =>
    Buffer.concat([fieldOf(STRING, 1, bytesOf(keyOf(number))), columns, Buffer.of(0)])
  return call('putMultiple', table, listOf(Array.from({ length: ROWS }, (_, number) => put(number))))
}

/** A struct whose only field is a row: a TGet, a TDelete. */
function rowStruct(number: number): Buffer {
  return Buffer.concat([fieldOf(STRING, 1, bytesOf(keyOf(number))), Buffer.of(0)])
}

function structs(method: string, table: string, count: number, one: (number: number) => Buffer): LargeBody {
  return call(method, table, listOf(Array.from({ length: Math.floor(count) }, (_, number) => one(number))))
}
