/** Pages of scanners that are larger than the memory that is free wait for it, and no row is lost where they wait in vain. */

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { MemoryBudget } from '../../../../src/gateway/memory-budget.ts'
import { startThriftServer, type ThriftServer } from './thrift-server.ts'

const BYTES_MAX = 1_000_000
const ALMOST_FULL_BYTES = 700_000
const ROWS = ['r0', 'r1', 'r2', 'r3', 'r4', 'r5']
const memory = new MemoryBudget(BYTES_MAX)
let server: ThriftServer

beforeAll(async () => {
  server = await startThriftServer({}, undefined, undefined, { memory })
  const client = server.thrift1()
  await client['createTable']!('rows', [{ name: 'f' }])
  for (const row of ROWS)
    await client['mutateRow']!('rows', row, [{ column: 'f:q', value: Buffer.alloc(100_000) }], {})
})
afterAll(() => server.close())
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

async function whenFull<T>(work: () => Promise<T>): Promise<T> {
  memory.note(ALMOST_FULL_BYTES)
  try {
    return await work()
  } finally {
    memory.give(ALMOST_FULL_BYTES)
  }
}

async function rowsOf(page: Promise<unknown>): Promise<string[]> {
  return ((await page) as { row: Buffer }[]).map(({ row }) => row.toString())
}

interface OpenScanner {
  readonly next: (rows: number) => Promise<unknown>
  readonly close: () => Promise<unknown>
}

const PAGES: readonly (readonly [string, () => Promise<OpenScanner>])[] = [
  [
    'Thrift 1 scannerGetList',
    async () => {
      const client = server.thrift1()
      const scanner = await client['scannerOpen']!('rows', '', ['f:q'], {})
      return {
        next: (rows) => client['scannerGetList']!(scanner, rows),
        close: () => client['scannerClose']!(scanner),
      }
    },
  ],
  [
    'Thrift 2 getScannerRows',
    async () => {
      const client = server.thrift2()
      const scanner = await client['openScanner']!('rows', {})
      return {
        next: (rows) => client['getScannerRows']!(scanner, rows),
        close: () => client['closeScanner']!(scanner),
      }
    },
  ],
]

describe.each(PAGES)('%s', (_, open) => {
  test.each([0, 1, 2])('waits for the memory of a page, with %i rows before it', async (before) => {
    const { next, close } = await open()
    const first = before === 0 ? [] : await rowsOf(next(before))
    const waiting = await whenFull(async () => {
      const page = rowsOf(next(4))
      await expect.poll(() => memory.isWaitedFor).toBe(true)
      return { page }
    })
    expect([...first, ...(await waiting.page)]).toEqual(ROWS.slice(0, before + 4))
    await close()
    await expect.poll(() => memory.granted).toBe(0)
  })

  test.each([0, 1, 2])(
    'loses no row of a page that waits in vain, with %i rows before it',
    async (before) => {
      const { next, close } = await open()
      const first = before === 0 ? [] : await rowsOf(next(before))
      await whenFull(async () => {
        const page = rowsOf(next(4))
        page.catch(() => undefined)
        await expect.poll(() => memory.isWaitedFor).toBe(true)
        await vi.advanceTimersByTimeAsync(30_000)
        await expect(page).rejects.toMatchObject({ canRetry: true })
      })
      expect([...first, ...(await rowsOf(next(4)))]).toEqual(ROWS.slice(0, before + 4))
      await close()
      await expect.poll(() => memory.granted).toBe(0)
    },
  )

  test('is refused for good where the whole memory is too small, and gives fewer rows then', async () => {
    const { next, close } = await open()
    await expect(next(6)).rejects.toMatchObject({
      canRetry: false,
      message: expect.stringContaining('raise --memory-max') as string,
    })
    expect([...(await rowsOf(next(2))), ...(await rowsOf(next(4)))]).toEqual(ROWS)
    await close()
    await expect.poll(() => memory.granted).toBe(0)
  })

  test('closes the scanner where rows that its client does not have cannot be kept', async () => {
    const { next } = await open()
    expect(await rowsOf(next(1))).toEqual(['r0'])
    await expect(next(5)).rejects.toMatchObject({
      canRetry: false,
      message: expect.stringContaining('The scanner is closed') as string,
    })
    await expect(next(1)).rejects.toMatchObject({
      name: expect.stringContaining('IllegalArgument') as string,
    })
    await expect.poll(() => memory.granted).toBe(0)
  })
})
