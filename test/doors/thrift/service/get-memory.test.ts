/** A get without memory for its answer waits for it. A call that has changed something has its answer in any case. */

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { MemoryBudget } from '../../../../src/gateway/limits/memory-budget.ts'
import { startThriftServer, type ThriftServer } from './thrift-server.ts'

const FULL_BYTES = 95_000_000
const ALMOST_FULL_BYTES = 97_000_000
const memory = new MemoryBudget(100_000_000)
let refused = 0
let server: ThriftServer

beforeAll(async () => {
  server = await startThriftServer({}, undefined, undefined, { memory })
  const client = server.thrift1()
  await client['createTable']!('t', [{ name: 'f' }])
  await client['mutateRow']!('t', 'long', [{ column: 'f:q', value: Buffer.alloc(6_000_000) }], {})
  await client['mutateRow']!('t', 'short', [{ column: 'f:q', value: 'v' }], {})
  await client['createTable']!('rows', [{ name: 'f' }])
  await client['mutateRow']!('rows', 'r0', [{ column: 'f:q', value: Buffer.alloc(1_000_000) }], {})
})
afterAll(() => server.close())
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

async function whenFull<T>(work: () => Promise<T>, bytes = FULL_BYTES): Promise<T> {
  memory.note(bytes)
  try {
    return await work()
  } finally {
    memory.give(bytes)
  }
}

/** Ends the waits for memory, as after 30 s. */
async function untilWaitsEnd(): Promise<void> {
  await expect.poll(() => memory.isWaitedFor).toBe(true)
  await vi.advanceTimersByTimeAsync(30_000)
}

const CALLS: readonly (readonly [string, (row: string) => Promise<unknown>])[] = [
  ['Thrift 1 getRow', (row) => server.thrift1()['getRow']!('t', row, {})],
  ['Thrift 1 getRows', (row) => server.thrift1()['getRows']!('t', [row], {})],
  ['Thrift 2 get', (row) => server.thrift2()['get']!('t', { row })],
  ['Thrift 2 getScannerResults', (row) => server.thrift2()['getScannerResults']!('t', { startRow: row }, 1)],
  ['Thrift 2 getMultiple', (row) => server.thrift2()['getMultiple']!('t', [{ row }])],
]

describe.each(CALLS)('%s', (_, get) => {
  test('waits for the memory of its answer', async () => {
    const waiting = await whenFull(async () => {
      const answer = get('long')
      await expect.poll(() => memory.isWaitedFor).toBe(true)
      await get('short')
      return { answer }
    })
    await waiting.answer
    await expect.poll(() => memory.granted).toBe(0)
    expect(memory.refused).toBe(refused)
  })

  test('is refused after 30 s, and the connection goes on', async () => {
    await whenFull(async () => {
      const answer = get('long')
      answer.catch(() => undefined)
      await untilWaitsEnd()
      await expect(answer).rejects.toMatchObject({
        message: expect.stringContaining('no memory for the answer') as string,
      })
      await get('short')
    })
    refused++
  })
})

describe('an answer that is encoded in steps', () => {
  test('is sent for an append, which must not be repeated', async () => {
    const client = server.thrift2()
    const append = { row: 'r0', columns: [{ family: 'f', qualifier: 'q', value: Buffer.alloc(60_000) }] }
    const result = (await whenFull(async () => {
      const answer = client['append']!('rows', append)
      await untilWaitsEnd()
      return answer
    }, ALMOST_FULL_BYTES)) as { columnValues: { value: Buffer }[] }
    expect(result.columnValues[0]!.value).toHaveLength(1_060_000)
    await expect.poll(() => memory.granted).toBe(0)
  })
})
