/** Writers through both Thrift services, in each dialect. */

import { loadSchema } from '../../../src/wire/thrift/idl-files.ts'
import { int64, type ProtocolClass, type ThriftTransportClass, thriftPackage } from '../thrift-package.ts'
import { type StubClient, type ThriftStubs, thriftStubs } from '../thrift-stubs.ts'
import { type Cells, TABLE, type WritingDoor } from './writing-door.ts'

const THRIFT1 = thriftStubs(loadSchema('thrift1'), 'Hbase')
const THRIFT2 = thriftStubs(loadSchema('thrift2'), 'THBaseService')

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

export class Thrift1Writer implements WritingDoor {
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

export class Thrift2Writer implements WritingDoor {
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
