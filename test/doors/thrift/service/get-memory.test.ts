/** A get has no answer where there is no memory for it: its client asks again. A call that has changed something has its answer. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MemoryBudget } from '../../../../src/gateway/memory-budget.ts'
import { startThriftServer, type ThriftServer } from './thrift-server.ts'

const FULL_BYTES = 95_000_000
const ALMOST_FULL_BYTES = 99_000_000
const ROWS = ['r0', 'r1', 'r2', 'r3', 'r4', 'r5']
const memory = new MemoryBudget(100_000_000)
let server: ThriftServer

beforeAll(async () => {
  server = await startThriftServer({}, undefined, undefined, { memory })
  const client = server.thrift1()
  await client['createTable']!('t', [{ name: 'f' }])
  await client['mutateRow']!('t', 'long', [{ column: 'f:q', value: Buffer.alloc(6_000_000) }], {})
  await client['mutateRow']!('t', 'short', [{ column: 'f:q', value: 'v' }], {})
  await client['createTable']!('rows', [{ name: 'f' }])
  for (const row of ROWS)
    await client['mutateRow']!('rows', row, [{ column: 'f:q', value: Buffer.alloc(1_000_000) }], {})
})
afterAll(() => server.close())

async function whenFull<T>(work: () => Promise<T>, bytes = FULL_BYTES): Promise<T> {
  memory.note(bytes)
  try {
    return await work()
  } finally {
    memory.give(bytes)
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

describe('an answer that is encoded in steps', () => {
  test('has all rows of a scanner, which cannot be read again', async () => {
    const client = server.thrift1()
    const scanner = await client['scannerOpen']!('rows', '', ['f:q'], {})
    const rows = await whenFull(async () => {
      const pages = [await client['scannerGetList']!(scanner, 2), await client['scannerGetList']!(scanner, 4)]
      return pages.flat() as { row: Buffer }[]
    }, ALMOST_FULL_BYTES)
    expect(rows.map(({ row }) => row.toString())).toEqual(ROWS)
    await client['scannerClose']!(scanner)
    await expect.poll(() => memory.granted).toBe(0)
  })

  test('tells of an append, which must not be repeated', async () => {
    const client = server.thrift2()
    const append = { row: 'r0', columns: [{ family: 'f', qualifier: 'q', value: Buffer.alloc(60_000) }] }
    const result = (await whenFull(() => client['append']!('rows', append), ALMOST_FULL_BYTES)) as {
      columnValues: { value: Buffer }[]
    }
    expect(result.columnValues[0]!.value).toHaveLength(1_060_000)
    await expect.poll(() => memory.granted).toBe(0)
  })
})
