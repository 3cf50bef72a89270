import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  bigintOf,
  type Int64,
  int64,
  type ThriftConnection,
  thriftPackage,
} from '../../../harness/thrift-package.ts'
import { type StubClient, thriftStubs } from '../../../harness/thrift-stubs.ts'
import { startToyServer, type ToyServer, toySchema } from './toy-services.ts'

const { TBinaryProtocol, TCompactProtocol, TBufferedTransport, TFramedTransport } = thriftPackage

const DIALECTS = [
  { name: 'buffered binary', transport: TBufferedTransport, protocol: TBinaryProtocol, http: false },
  { name: 'buffered compact', transport: TBufferedTransport, protocol: TCompactProtocol, http: false },
  { name: 'framed binary', transport: TFramedTransport, protocol: TBinaryProtocol, http: false },
  { name: 'framed compact', transport: TFramedTransport, protocol: TCompactProtocol, http: false },
  { name: 'HTTP binary', transport: TBufferedTransport, protocol: TBinaryProtocol, http: true },
  { name: 'HTTP compact', transport: TBufferedTransport, protocol: TCompactProtocol, http: true },
]

const old = thriftStubs(toySchema, 'Old')
const young = thriftStubs(toySchema, 'Young')

let server: ToyServer
let connections: ThriftConnection[] = []

beforeEach(async () => {
  server = await startToyServer()
})

afterEach(async () => {
  for (const connection of connections) if ('destroy' in connection) connection.destroy()
  connections = []
  await server.listener.close()
})

function clientOf({ transport, protocol, http }: (typeof DIALECTS)[number], stubs: typeof old): StubClient {
  const options = { transport, protocol, path: '/' }
  const connection = http
    ? thriftPackage.createHttpConnection('127.0.0.1', server.port, options)
    : thriftPackage.createConnection('127.0.0.1', server.port, options)
  connection.on('error', () => {})
  if (!http) connections.push(connection)
  const client = http
    ? thriftPackage.createHttpClient(stubs, connection)
    : thriftPackage.createClient(stubs, connection)
  return client as StubClient
}

describe.each(DIALECTS)('the thrift package over $name', (dialect) => {
  test('calls of both services, in any order', async () => {
    const first = clientOf(dialect, old)
    expect(bigintOf((await first['add']!(int64(2n ** 53n + 1n), int64(1n))) as Int64)).toBe(2n ** 53n + 2n)
    expect(await first['echo']!(Buffer.from([0, 255, 128]))).toEqual(Buffer.from([0, 255, 128]))
    expect(await first['lookUp']!(Buffer.from('row'))).toBe('old row')
    expect(await first['wait']!(2)).toBeUndefined()
    const second = clientOf(dialect, young)
    expect(await second['lookUp']!({ row: Buffer.from('row') })).toBe('young row')
    expect(await second['hello']!()).toBe('hello')
  })

  test('a declared exception, and an undeclared one', async () => {
    const client = clientOf(dialect, old)
    await expect(client['add']!(int64(-1n), int64(0n))).rejects.toMatchObject({
      name: 'ToyError',
      message: '-1 is negative',
    })
    await expect(client['break']!()).rejects.toMatchObject({
      type: 6,
      message: 'Internal error processing break',
    })
    expect(server.logged).toEqual([expect.stringMatching(/^Thrift: a bug in Tidegate: .*report it/)])
  })
})
