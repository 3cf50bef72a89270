/** Pages of scanners that exceed the free memory wait for it. No row is lost where they wait in vain. */

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { MemoryBudget } from '../../../../src/gateway/limits/memory-budget.ts'
import { startThriftServer, type ThriftServer } from './thrift-server.ts'

const BYTES_MAX = 1_000_000
const ALMOST_FULL_BYTES = 700_000
const ROWS = ['r0', 'r1', 'r2', 'r3', 'r4', 'r5']
/** The bytes of the value of each row. */
const TABLES: Readonly<Record<string, readonly number[]>> = {
  rows: ROWS.map(() => 100_000),
  longer: [10, 100_000, 100_000, 100_000],
  long: [10, 280_000],
  longest: [10, 600_000],
}
const memory = new MemoryBudget(BYTES_MAX)
let server: ThriftServer

beforeAll(async () => {
  server = await startThriftServer({}, undefined, undefined, { memory })
  const client = server.thrift1()
  for (const [table, sizes] of Object.entries(TABLES)) {
    await client['createTable']!(table, [{ name: 'f' }])
    for (const [index, bytes] of sizes.entries()) {
      // A put takes memory for twice its bytes.
      for (const column of ['f:p', 'f:q'])
        await client['mutateRow']!(table, `r${index}`, [{ column, value: Buffer.alloc(bytes / 2) }], {})
    }
  }
})
afterAll(() => server.close())
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

async function whenFull<T>(work: () => Promise<T>, bytes: number = ALMOST_FULL_BYTES): Promise<T> {
  memory.note(bytes)
  try {
    return await work()
  } finally {
    memory.give(bytes)
  }
}

async function rowsOf(page: Promise<unknown>): Promise<string[]> {
  return ((await page) as { row: Buffer }[]).map(({ row }) => row.toString())
}

interface OpenScanner {
  readonly next: (rows: number) => Promise<unknown>
  readonly close: () => Promise<unknown>
}

const PAGES: readonly (readonly [string, (table?: string) => Promise<OpenScanner>])[] = [
  [
    'Thrift 1 scannerGetList',
    async (table = 'rows') => {
      const client = server.thrift1()
      const scanner = await client['scannerOpen']!(table, '', ['f'], {})
      return {
        next: (rows) => client['scannerGetList']!(scanner, rows),
        close: () => client['scannerClose']!(scanner),
      }
    },
  ],
  [
    'Thrift 2 getScannerRows',
    async (table = 'rows') => {
      const client = server.thrift2()
      const scanner = await client['openScanner']!(table, {})
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
      const page = rowsOf(next(3))
      await expect.poll(() => memory.isWaitedFor).toBe(true)
      return { page }
    })
    expect([...first, ...(await waiting.page)]).toEqual(ROWS.slice(0, before + 3))
    await close()
    await expect.poll(() => memory.granted).toBe(0)
  })

  test.each([0, 1, 2])(
    'loses no row of a page that waits in vain, with %i rows before it',
    async (before) => {
      const { next, close } = await open()
      const first = before === 0 ? [] : await rowsOf(next(before))
      await whenFull(async () => {
        const page = rowsOf(next(3))
        page.catch(() => undefined)
        await expect.poll(() => memory.isWaitedFor).toBe(true)
        await vi.advanceTimersByTimeAsync(30_000)
        await expect(page).rejects.toMatchObject({ canRetry: true })
      })
      expect([...first, ...(await rowsOf(next(3)))]).toEqual(ROWS.slice(0, before + 3))
      await close()
      await expect.poll(() => memory.granted).toBe(0)
    },
  )

  test('ends a page with a quarter of the memory, for any number of rows', async () => {
    const { next, close } = await open()
    for (const rows of [ROWS.slice(0, 3), ROWS.slice(3), []]) expect(await rowsOf(next(1000))).toEqual(rows)
    await close()
    await expect.poll(() => memory.granted).toBe(0)
  })

  test('ends a page before the rows that wait for memory in vain', async () => {
    const { next, close } = await open('longer')
    expect(await rowsOf(next(1))).toEqual(['r0'])
    await whenFull(async () => {
      const page = rowsOf(next(4))
      await expect.poll(() => memory.isWaitedFor).toBe(true)
      await vi.advanceTimersByTimeAsync(30_000)
      expect(await page).toEqual(['r1'])
    }, 650_000)
    expect(await rowsOf(next(4))).toEqual(['r2', 'r3'])
    await close()
    await expect.poll(() => memory.granted).toBe(0)
  })

  test('refuses a row for good for which the whole memory is too small', async () => {
    const { next, close } = await open('longest')
    expect(await rowsOf(next(1))).toEqual(['r0'])
    await expect(next(1)).rejects.toMatchObject({
      canRetry: false,
      message: expect.stringContaining('raise --memory-max') as string,
    })
    await close().catch(() => undefined)
    await expect.poll(() => memory.granted).toBe(0)
  })

  test('closes the scanner where rows that its client does not have cannot be kept', async () => {
    const { next } = await open('long')
    expect(await rowsOf(next(1))).toEqual(['r0'])
    await whenFull(async () => {
      const page = next(1)
      page.catch(() => undefined)
      await expect.poll(() => memory.isWaitedFor).toBe(true)
      await vi.advanceTimersByTimeAsync(30_000)
      await expect(page).rejects.toMatchObject({
        canRetry: false,
        message: expect.stringContaining('The scanner is closed') as string,
      })
    })
    await expect(next(1)).rejects.toMatchObject({
      name: expect.stringContaining('IllegalArgument') as string,
    })
    await expect.poll(() => memory.granted).toBe(0)
  })
})
