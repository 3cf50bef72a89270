/** The doors through which the writers of a kill loop change rows: each operation by each protocol. */

import { loadSchema } from '../../../src/wire/thrift/idl-files.ts'
import type { ChildServer } from '../child-server.ts'
import { int64, type ProtocolClass, type ThriftTransportClass, thriftPackage } from '../thrift-package.ts'
import { type StubClient, type ThriftStubs, thriftStubs } from '../thrift-stubs.ts'

export const TABLE = 'killed'
const THRIFT1 = thriftStubs(loadSchema('thrift1'), 'Hbase')
const THRIFT2 = thriftStubs(loadSchema('thrift2'), 'THBaseService')

/** A row's columns and their values. */
export type Cells = Readonly<Record<string, string>>

export interface WritingDoor {
  put(row: string, cells: Cells): Promise<unknown>
  batch(rows: Readonly<Record<string, Cells>>): Promise<unknown>
  remove(row: string): Promise<unknown>
  /** By 1. */
  increment(row: string, column: string): Promise<unknown>
  append(row: string, column: string, text: string): Promise<unknown>
  /** Resolves to whether the column had the value `expected`, so that the put was made. */
  checkAndPut(row: string, column: string, expected: string, value: string): Promise<boolean>
  close(): void
}

interface Dialect {
  readonly transport: ThriftTransportClass
  readonly protocol: ProtocolClass
  readonly http?: boolean
}

const { TFramedTransport, TBufferedTransport, TBinaryProtocol, TCompactProtocol } = thriftPackage
const FRAMED: Dialect = { transport: TFramedTransport, protocol: TBinaryProtocol }
const UNFRAMED: Dialect = { transport: TBufferedTransport, protocol: TBinaryProtocol }
const COMPACT: Dialect = { transport: TFramedTransport, protocol: TCompactProtocol }
const HTTP: Dialect = { transport: TBufferedTransport, protocol: TBinaryProtocol, http: true }

/** A door by its name, for a server that has just started. */
export const DOORS: Readonly<Record<string, (server: ChildServer) => WritingDoor>> = {
  rest: (server) => new RestWriter(server.port('rest')),
  thrift1framed: (server) => new Thrift1Writer(server.port('thrift'), FRAMED),
  thrift1unframed: (server) => new Thrift1Writer(server.port('thrift'), UNFRAMED),
  thrift1compact: (server) => new Thrift1Writer(server.port('thrift'), COMPACT),
  thrift1http: (server) => new Thrift1Writer(server.port('thrift'), HTTP),
  thrift2framed: (server) => new Thrift2Writer(server.port('thrift'), FRAMED),
  thrift2compact: (server) => new Thrift2Writer(server.port('thrift'), { ...COMPACT, ...UNFRAMED }),
}

class RestWriter implements WritingDoor {
  readonly #url: string

  constructor(port: number) {
    this.#url = `http://127.0.0.1:${port}/${TABLE}`
  }

  put(row: string, cells: Cells): Promise<unknown> {
    return this.#send(row, { [row]: Object.entries(cells) })
  }

  batch(rows: Readonly<Record<string, Cells>>): Promise<unknown> {
    const entries = Object.entries(rows).map(([row, cells]) => [row, Object.entries(cells)] as const)
    return this.#send('rows', Object.fromEntries(entries))
  }

  async remove(row: string): Promise<unknown> {
    return told(await fetch(`${this.#url}/${row}`, { method: 'DELETE' }))
  }

  increment(row: string, column: string): Promise<unknown> {
    return this.#send(`${row}?check=increment`, { [row]: [[column, '1']] })
  }

  append(row: string, column: string, text: string): Promise<unknown> {
    return this.#send(`${row}?check=append`, { [row]: [[column, text]] })
  }

  async checkAndPut(row: string, column: string, expected: string, value: string): Promise<boolean> {
    const cells = [
      [column, value],
      [column, expected],
    ] as const
    return (await this.#send(`${row}?check=put`, { [row]: cells })) === 200
  }

  close(): void {
    // fetch keeps its own connections.
  }

  /** The status of the answer. */
  async #send(
    path: string,
    rows: Readonly<Record<string, readonly (readonly [string, string])[]>>,
  ): Promise<number> {
    const Row = Object.entries(rows).map(([row, cells]) => ({
      key: base64(row),
      Cell: cells.map(([column, value]) => ({ column: base64(column), $: base64(value) })),
    }))
    const headers = { 'content-type': 'application/json', accept: 'application/json' }
    return told(
      await fetch(`${this.#url}/${path}`, { method: 'PUT', headers, body: JSON.stringify({ Row }) }),
    )
  }
}

async function told(response: Response): Promise<number> {
  const text = await response.text()
  if (response.ok || response.status === 304) return response.status
  throw new Error(`${response.status} ${text}`)
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}

/** A client of the `thrift` package, and how to end it. */
function clientOf(
  stubs: ThriftStubs,
  port: number,
  { transport, protocol, http }: Dialect,
): { readonly client: StubClient; readonly close: () => void } {
  const options = { transport, protocol, path: '/' }
  if (http === true) {
    const connection = thriftPackage.createHttpConnection('127.0.0.1', port, options)
    connection.on('error', () => undefined)
    return {
      client: thriftPackage.createHttpClient(stubs, connection) as StubClient,
      close: () => undefined,
    }
  }
  const connection = thriftPackage.createConnection('127.0.0.1', port, options)
  connection.on('error', () => connection.destroy())
  return {
    client: thriftPackage.createClient(stubs, connection) as StubClient,
    close: () => connection.destroy(),
  }
}

class Thrift1Writer implements WritingDoor {
  readonly #client: StubClient
  readonly close: () => void

  constructor(port: number, dialect: Dialect) {
    const { client, close } = clientOf(THRIFT1, port, dialect)
    this.#client = client
    this.close = close
  }

  put(row: string, cells: Cells): Promise<unknown> {
    return this.#client['mutateRow']!(TABLE, row, mutations(cells), {})
  }

  batch(rows: Readonly<Record<string, Cells>>): Promise<unknown> {
    const batches = Object.entries(rows).map(([row, cells]) => ({ row, mutations: mutations(cells) }))
    return this.#client['mutateRows']!(TABLE, batches, {})
  }

  remove(row: string): Promise<unknown> {
    return this.#client['deleteAllRow']!(TABLE, row, {})
  }

  increment(row: string, column: string): Promise<unknown> {
    return this.#client['atomicIncrement']!(TABLE, row, column, int64(1n))
  }

  append(row: string, column: string, text: string): Promise<unknown> {
    return this.#client['append']!({ table: TABLE, row, columns: [column], values: [text] })
  }

  async checkAndPut(row: string, column: string, expected: string, value: string): Promise<boolean> {
    const put = { column, value }
    return (await this.#client['checkAndPut']!(TABLE, row, column, expected, put, {})) === true
  }
}

function mutations(cells: Cells): unknown[] {
  return Object.entries(cells).map(([column, value]) => ({ column, value }))
}

class Thrift2Writer implements WritingDoor {
  readonly #client: StubClient
  readonly close: () => void

  constructor(port: number, dialect: Dialect) {
    const { client, close } = clientOf(THRIFT2, port, dialect)
    this.#client = client
    this.close = close
  }

  put(row: string, cells: Cells): Promise<unknown> {
    return this.#client['put']!(TABLE, { row, columnValues: columnValues(cells) })
  }

  batch(rows: Readonly<Record<string, Cells>>): Promise<unknown> {
    const puts = Object.entries(rows).map(([row, cells]) => ({ row, columnValues: columnValues(cells) }))
    return this.#client['putMultiple']!(TABLE, puts)
  }

  remove(row: string): Promise<unknown> {
    return this.#client['deleteSingle']!(TABLE, { row })
  }

  increment(row: string, column: string): Promise<unknown> {
    return this.#client['increment']!(TABLE, { row, columns: [{ ...named(column), amount: int64(1n) }] })
  }

  append(row: string, column: string, text: string): Promise<unknown> {
    return this.#client['append']!(TABLE, { row, columns: columnValues({ [column]: text }) })
  }

  async checkAndPut(row: string, column: string, expected: string, value: string): Promise<boolean> {
    const { family, qualifier } = named(column)
    const put = { row, columnValues: columnValues({ [column]: value }) }
    return (await this.#client['checkAndPut']!(TABLE, row, family, qualifier, expected, put)) === true
  }
}

function named(column: string): { readonly family: string; readonly qualifier: string } {
  const [family = '', qualifier = ''] = column.split(':')
  return { family, qualifier }
}

function columnValues(cells: Cells): unknown[] {
  return Object.entries(cells).map(([column, value]) => ({ ...named(column), value }))
}
