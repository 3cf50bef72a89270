/** A get has no answer where there is no memory for it: clients are told to ask again. */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { MemoryBudget } from '../../../../src/gateway/memory-budget.ts'
import { startThriftServer, type ThriftServer } from './thrift-server.ts'

const FULL_BYTES = 95_000_000
const memory = new MemoryBudget(100_000_000)
let server: ThriftServer

beforeAll(async () => {
  server = await startThriftServer({}, undefined, undefined, { memory })
  const client = server.thrift1()
  await client['createTable']!('t', [{ name: 'f' }])
  await client['mutateRow']!('t', 'long', [{ column: 'f:q', value: Buffer.alloc(6_000_000) }], {})
  await client['mutateRow']!('t', 'short', [{ column: 'f:q', value: 'v' }], {})
})
afterAll(() => server.close())

async function whenFull<T>(work: () => Promise<T>): Promise<T> {
  memory.note(FULL_BYTES)
  try {
    return await work()
  } finally {
    memory.give(FULL_BYTES)
  }
}

const CALLS: readonly (readonly [string, (row: string) => Promise<unknown>])[] = [
  ['Thrift 1 getRow', (row) => server.thrift1()['getRow']!('t', row, {})],
  ['Thrift 1 getRows', (row) => server.thrift1()['getRows']!('t', [row], {})],
  ['Thrift 2 get', (row) => server.thrift2()['get']!('t', { row })],
  ['Thrift 2 getMultiple', (row) => server.thrift2()['getMultiple']!('t', [{ row }])],
]

test.each(CALLS)('%s', async (_, get) => {
  await whenFull(async () => {
    await expect(get('long').then(() => 'an answer')).rejects.toMatchObject({
      message: expect.stringContaining('no memory for the answer') as string,
    })
    await get('short')
  })
  await get('long')
  await expect.poll(() => memory.granted).toBe(0)
})
