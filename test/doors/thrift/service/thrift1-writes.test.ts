import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Int64 } from '../../../harness/thrift-package.ts'
import type { StubClient } from '../../../harness/thrift-stubs.ts'
import { startThriftServer, type ThriftServer } from './thrift-server.ts'

let server: ThriftServer
let client: StubClient
beforeAll(async () => {
  server = await startThriftServer()
  client = server.thrift1()
  await client['createTable']!('t', [{ name: 'f', maxVersions: 3 }])
})
afterAll(() => server.close())

async function valueOf(row: string): Promise<string | undefined> {
  const cells = (await client['get']!('t', row, 'f:q', {})) as { value: Buffer; timestamp: Int64 }[]
  return cells[0]?.value.toString()
}

test.each([
  ['as cells', {}],
  ['as objects', { some: 'attribute' }],
])('a put survives the delete of its column in the same request, %s', async (_, attributes) => {
  for (let i = 0; i < 20; i++) {
    const row = `r${i}`
    await client['mutateRow']!('t', row, [{ column: 'f:q', value: 'old' }], {})
    const changes = [
      { column: 'f:q', isDelete: true },
      { column: 'f:q', value: `new${i}` },
    ]
    await client['mutateRow']!('t', row, changes, attributes)
    expect(await valueOf(row)).toBe(`new${i}`)
  }
})

test('a delete survives a put before it in the same batch of rows', async () => {
  const mutations = [
    { column: 'f:q', value: 'v' },
    { column: 'f:q', isDelete: true },
  ]
  for (const attributes of [{}, { some: 'attribute' }]) {
    await client['mutateRows']!('t', [{ row: 'gone', mutations }], attributes)
    expect(await valueOf('gone')).toBeUndefined()
  }
})

function ttl(ms: bigint): { _ttl: Buffer } {
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64BE(ms)
  return { _ttl: bytes }
}

test('the attribute _ttl lets cells expire', async () => {
  const mutations = [{ column: 'f:q', value: 'v' }]
  await client['mutateRow']!('t', 'lives', mutations, ttl(3_600_000n))
  await client['mutateRow']!('t', 'dies', mutations, ttl(1n))
  await expect.poll(() => valueOf('dies'), { interval: 2 }).toBeUndefined()
  expect(await valueOf('lives')).toBe('v')
  await expect(client['mutateRow']!('t', 'r', mutations, { _ttl: 'short' })).rejects.toMatchObject({
    name: 'IllegalArgument',
  })
})
