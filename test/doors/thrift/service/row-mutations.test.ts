import { afterAll, beforeAll, expect, test } from 'vitest'
import type { StubClient } from '../../../harness/thrift-stubs.ts'
import { startThriftServer, type ThriftServer } from './thrift-server.ts'

let server: ThriftServer
let client: StubClient
beforeAll(async () => {
  server = await startThriftServer()
  client = server.thrift2()
  await server.thrift1()['createTable']!('t', [{ name: 'f' }])
})
afterAll(() => server.close())

function put(qualifier: string, ttlMs?: number): object {
  const columnValues = [{ family: 'f', qualifier, value: 'v', timestamp: 1000 }]
  const ttl = Buffer.alloc(8)
  ttl.writeBigInt64BE(BigInt(ttlMs ?? 0))
  return { put: { row: 'r', columnValues, ...(ttlMs !== undefined && { attributes: { _ttl: ttl } }) } }
}

test.each(['brief first', 'brief last'])(
  'a put keeps no time to live of its neighbour: %s',
  async (order) => {
    const puts = [put('brief', 1), put('lasting')]
    const mutations = order === 'brief first' ? puts : puts.toReversed()
    await client['mutateRow']!('t', { row: 'r', mutations })
    const { columnValues } = (await client['get']!('t', { row: 'r' })) as {
      columnValues: readonly { qualifier: Buffer }[]
    }
    expect(columnValues.map(({ qualifier }) => qualifier.toString())).toEqual(['lasting'])
  },
)
