import { describe, expect, it } from 'vitest'
import { cellsOf } from '../../../../src/model/cell-block.ts'
import { MutationBatch } from '../../../../src/model/mutation.ts'
import { scan } from '../../../../src/model/query.ts'
import type { ScanBatch } from '../../../../src/model/results.ts'
import { NO_RESULTS } from '../../../../src/model/results.ts'
import { StoreUnderTest, TABLE, tableOf } from '../store-under-test.ts'

const ROWS = 2000
const ALL_ROWS = { rows: 1_000_000, bytes: 1 << 30, allowPartial: false }
const END: ScanBatch = { results: NO_RESULTS, more: false, partial: false }

function numbered(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `r${String(index).padStart(6, '0')}`)
}

/** A store whose scans pause after so many cells, with a table of two regions and rows in the first of them. */
async function withRows(options: { sliceCells: number; value?: string }): Promise<StoreUnderTest> {
  const { sliceCells, value = 'v' } = options
  const session = await StoreUnderTest.open(sliceCells > 0 ? { scanSliceCells: sliceCells } : {})
  await session.store.createTable(tableOf('f'), [Buffer.from('s')])
  await session.put(numbered(ROWS), { value })
  return session
}

async function deleteRows(session: StoreUnderTest, rows: readonly string[]): Promise<void> {
  const batch = new MutationBatch()
  for (const row of rows) batch.deleteRow(Buffer.from(row)).endMutation()
  await session.store.mutate(TABLE, batch)
}

/** How often the event loop turned while `work` ran. */
async function turnsDuring<T>(work: () => Promise<T>): Promise<{ turns: number; result: T }> {
  let turns = 0
  let isOver = false
  const count = (): void => {
    turns++
    if (!isOver) setImmediate(count)
  }
  const counting = setImmediate(count)
  const result = await work()
  isOver = true
  clearImmediate(counting)
  return { turns, result }
}

function rowsOf({ results }: ScanBatch): string[] {
  return cellsOf(results.cells).map(({ row }) => row.toString())
}

describe('a scan', () => {
  it('reads a usual page in one go', async () => {
    const session = await withRows({ sliceCells: 0 })
    const scanner = await session.store.openScanner(TABLE, scan())
    const page = { rows: 1000, bytes: 1 << 21, allowPartial: false }
    for (let i = 0; i < 2; i++) {
      const { turns, result } = await turnsDuring(() => scanner.next(page))
      expect(turns).toBe(0)
      expect(result.results.counts).toHaveLength(1000)
    }
  })

  it('lets the event loop run while it passes over what is deleted', async () => {
    const session = await withRows({ sliceCells: 100 })
    await deleteRows(session, numbered(ROWS - 1))
    const scanner = await session.store.openScanner(TABLE, scan())
    const { turns, result } = await turnsDuring(() => scanner.next({ ...ALL_ROWS, rows: 1 }))
    expect(rowsOf(result)).toEqual([`r00${ROWS - 1}`])
    expect(turns).toBeGreaterThanOrEqual(ROWS / 100 - 1)
    expect(turns).toBeLessThan(ROWS / 10)
  })

  it('and while it gathers many rows, which come as one batch', async () => {
    const session = await withRows({ sliceCells: 100 })
    for (const allowPartial of [false, true]) {
      const scanner = await session.store.openScanner(TABLE, scan())
      const { turns, result } = await turnsDuring(() => scanner.next({ ...ALL_ROWS, allowPartial }))
      expect(turns).toBeGreaterThanOrEqual(ROWS / 100 - 1)
      expect(rowsOf(result)).toEqual(numbered(ROWS))
      expect(result).toMatchObject({ more: true, partial: false, results: { counts: Array(ROWS).fill(1) } })
      expect(await scanner.next(ALL_ROWS)).toEqual(END)
    }
  })

  it('or many bytes, be it in several batches', async () => {
    const session = await withRows({ sliceCells: 0, value: 'x'.repeat(5000) })
    const atOnce = await session.store.openScanner(TABLE, scan())
    const { turns, result } = await turnsDuring(() => atOnce.next(ALL_ROWS))
    expect(turns).toBeGreaterThanOrEqual(2)
    expect(rowsOf(result)).toEqual(numbered(ROWS))
    const inPages = await session.store.openScanner(TABLE, scan())
    const paged = await turnsDuring(async () => {
      const rows: string[] = []
      for (let more = true; more; ) {
        const batch = await inPages.next({ ...ALL_ROWS, rows: 100 })
        rows.push(...rowsOf(batch))
        ;({ more } = batch)
      }
      return rows
    })
    expect(paged.turns).toBeGreaterThanOrEqual(2)
    expect(paged.result).toEqual(numbered(ROWS))
  })

  it('keeps a row that is larger than a slice in one result', async () => {
    const session = await withRows({ sliceCells: 100 })
    const batch = new MutationBatch()
    for (let i = 0; i < 500; i++) {
      batch.put(Buffer.from('z'), Buffer.from('f'), Buffer.from(String(i)), Buffer.alloc(10_000))
    }
    batch.endMutation()
    await session.store.mutate(TABLE, batch)
    for (const allowPartial of [false, true]) {
      const scanner = await session.store.openScanner(TABLE, scan({ startRow: Buffer.from('z') }))
      const { results, partial } = await scanner.next({ ...ALL_ROWS, allowPartial })
      expect({ counts: results.counts, partial }).toEqual({ counts: [500], partial: false })
    }
  })

  it('counts rows and bytes over its pauses as without them', async () => {
    const session = await withRows({ sliceCells: 7 })
    for (const [limits, rows] of [
      [{ ...ALL_ROWS, rows: 33 }, 33],
      [{ ...ALL_ROWS, bytes: 1 }, 1],
      [{ ...ALL_ROWS, bytes: 0 }, 1],
    ] as const) {
      const scanner = await session.store.openScanner(TABLE, scan())
      expect((await scanner.next(limits)).results.counts).toHaveLength(rows)
      await scanner.close()
    }
    const limited = await session.store.openScanner(TABLE, scan({ limit: 50 }))
    expect(rowsOf(await limited.next(ALL_ROWS))).toEqual(numbered(50))
  })

  it('stops where it is closed in a pause', async () => {
    const session = await withRows({ sliceCells: 100 })
    const scanner = await session.store.openScanner(TABLE, scan())
    const { turns } = await turnsDuring(async () => {
      const batch = scanner.next(ALL_ROWS)
      await scanner.close()
      expect(await batch).toEqual(END)
    })
    expect(turns).toBeLessThanOrEqual(2)
  })

  it('fails where its table or the store goes in a pause: what is missing must not look like the end', async () => {
    const session = await withRows({ sliceCells: 100 })
    const disabled = await session.store.openScanner(TABLE, scan())
    const first = expect(disabled.next(ALL_ROWS)).rejects.toMatchObject({ code: 'TABLE_NOT_ENABLED' })
    await session.store.disableTable(TABLE)
    await first
    await session.store.enableTable(TABLE)
    const open = await session.store.openScanner(TABLE, scan())
    const second = expect(open.next(ALL_ROWS)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    await session.store.close()
    await second
  })
})
