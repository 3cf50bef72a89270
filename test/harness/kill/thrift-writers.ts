/** Writers through both Thrift services, in each dialect. */

import { loadSchema } from '../../../src/wire/thrift/idl-files.ts'
import { int64, type ProtocolClass, type ThriftTransportClass, thriftPackage } from '../thrift-package.ts'
import { type StubClient, type ThriftStubs, thriftStubs } from '../thrift-stubs.ts'
import { type Cells, TABLE, type WritingDoor } from './writing-door.ts'

export const THRIFT1: ThriftStubs = thriftStubs(loadSchema('thrift1'), 'Hbase')
export const THRIFT2: ThriftStubs = thriftStubs(loadSchema('thrift2'), 'THBaseService')

export interface Dialect {
  readonly transport: ThriftTransportClass
  readonly protocol: ProtocolClass
  readonly http?: boolean
}

const { TFramedTransport, TBufferedTransport, TBinaryProtocol, TCompactProtocol } = thriftPackage
export const FRAMED: Dialect = { transport: TFramedTransport, protocol: TBinaryProtocol }
export const UNFRAMED: Dialect = { transport: TBufferedTransport, protocol: TBinaryProtocol }
export const COMPACT: Dialect = { transport: TFramedTransport, protocol: TCompactProtocol }
export const HTTP: Dialect = { transport: TBufferedTransport, protocol: TBinaryProtocol, http: true }

/** A client of the `thrift` package, and how to end it. */
export function clientOf(
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

export class Thrift1Writer implements WritingDoor {
  readonly #client: StubClient
  readonly #table: string
  readonly close: () => void

  constructor(port: number, dialect: Dialect, table: string = TABLE) {
    this.#table = table
    const { client, close } = clientOf(THRIFT1, port, dialect)
    this.#client = client
    this.close = close
  }

  put(row: string, cells: Cells): Promise<unknown> {
    return this.#client['mutateRow']!(this.#table, row, mutations(cells), {})
  }

  batch(rows: Readonly<Record<string, Cells>>): Promise<unknown> {
    const batches = Object.entries(rows).map(([row, cells]) => ({ row, mutations: mutations(cells) }))
    return this.#client['mutateRows']!(this.#table, batches, {})
  }

  remove(row: string): Promise<unknown> {
    return this.#client['deleteAllRow']!(this.#table, row, {})
  }

  increment(row: string, column: string): Promise<unknown> {
    return this.#client['atomicIncrement']!(this.#table, row, column, int64(1n))
  }

  append(row: string, column: string, text: string): Promise<unknown> {
    return this.#client['append']!({ table: this.#table, row, columns: [column], values: [text] })
  }

  async checkAndPut(row: string, column: string, expected: string, value: string): Promise<boolean> {
    const put = { column, value }
    return (await this.#client['checkAndPut']!(this.#table, row, column, expected, put, {})) === true
  }
}

function mutations(cells: Cells): unknown[] {
  return Object.entries(cells).map(([column, value]) => ({ column, value }))
}

export class Thrift2Writer implements WritingDoor {
  readonly #client: StubClient
  readonly #table: string
  readonly close: () => void

  constructor(port: number, dialect: Dialect, table: string = TABLE) {
    this.#table = table
    const { client, close } = clientOf(THRIFT2, port, dialect)
    this.#client = client
    this.close = close
  }

  put(row: string, cells: Cells): Promise<unknown> {
    return this.#client['put']!(this.#table, { row, columnValues: columnValues(cells) })
  }

  batch(rows: Readonly<Record<string, Cells>>): Promise<unknown> {
    const puts = Object.entries(rows).map(([row, cells]) => ({ row, columnValues: columnValues(cells) }))
    return this.#client['putMultiple']!(this.#table, puts)
  }

  remove(row: string): Promise<unknown> {
    return this.#client['deleteSingle']!(this.#table, { row })
  }

  increment(row: string, column: string): Promise<unknown> {
    return this.#client['increment']!(this.#table, {
      row,
      columns: [{ ...named(column), amount: int64(1n) }],
    })
  }

  append(row: string, column: string, text: string): Promise<unknown> {
    return this.#client['append']!(this.#table, { row, columns: columnValues({ [column]: text }) })
  }

  async checkAndPut(row: string, column: string, expected: string, value: string): Promise<boolean> {
    const { family, qualifier } = named(column)
    const put = { row, columnValues: columnValues({ [column]: value }) }
    return (await this.#client['checkAndPut']!(this.#table, row, family, qualifier, expected, put)) === true
  }
}

function named(column: string): { readonly family: string; readonly qualifier: string } {
  const [family = '', qualifier = ''] = column.split(':')
  return { family, qualifier }
}

function columnValues(cells: Cells): unknown[] {
  return Object.entries(cells).map(([column, value]) => ({ ...named(column), value }))
}
