import { describe, expect, it } from 'vitest'
import { cellsOf } from '../../../../src/model/cell-block.ts'
import { MutationBatch } from '../../../../src/model/mutation.ts'
import type { ScanBatch } from '../../../../src/model/results.ts'
import { gathered, NO_RESULTS } from '../../../../src/model/results.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { numbered, StoreUnderTest, TABLE, tableOf } from '../store-under-test.ts'

const ROWS = 2000
const ALL_ROWS = { rows: 1_000_000, bytes: 1 << 30, allowPartial: false }
const END = { results: NO_RESULTS, ended: 'scan', partial: undefined }

/** A store whose scans pause after so many cells, with a table of two regions and rows in the first of them. */
async function withRows(options: { sliceCells: number; value?: string }): Promise<StoreUnderTest> {
  const { sliceCells, value = 'v' } = options
  const session = await StoreUnderTest.open(sliceCells > 0 ? { scanSliceCells: sliceCells } : {})
  await session.createTable(tableOf('f'), ['s'])
  await session.put(numbered(ROWS), { value })
  return session
}

async function deleteRows(session: StoreUnderTest, rows: readonly string[]): Promise<void> {
  const batch = new MutationBatch()
  for (const row of rows) batch.deleteRow(Buffer.from(row)).endMutation()
  await session.store.rows.mutate(TABLE, batch, OWN_CALL)
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
  return cellsOf(gathered(results).cells).map(({ row }) => row.toString())
}

describe('a scan', () => {
  it('reads a usual page in one go', async () => {
    const session = await withRows({ sliceCells: 0 })
    const scanner = await session.scanner()
    const page = { rows: 1000, bytes: 1 << 21, allowPartial: false }
    for (let i = 0; i < 2; i++) {
      const { turns, result } = await turnsDuring(() => scanner.next(page, OWN_CALL))
      expect(turns).toBe(0)
      expect(result.results.counts).toHaveLength(1000)
    }
  })

  it('lets the event loop run while it passes over what is deleted', async () => {
    const session = await withRows({ sliceCells: 100 })
    await deleteRows(session, numbered(ROWS - 1))
    const scanner = await session.scanner()
    const { turns, result } = await turnsDuring(() => scanner.next({ ...ALL_ROWS, rows: 1 }, OWN_CALL))
    expect(rowsOf(result)).toEqual([`r00${ROWS - 1}`])
    expect(turns).toBeGreaterThanOrEqual(ROWS / 100 - 1)
    expect(turns).toBeLessThan(ROWS / 10)
  })

  it('and while it gathers many rows, which come as one batch', async () => {
    const session = await withRows({ sliceCells: 100 })
    for (const allowPartial of [false, true]) {
      const scanner = await session.scanner()
      const { turns, result } = await turnsDuring(() => scanner.next({ ...ALL_ROWS, allowPartial }, OWN_CALL))
      expect(turns).toBeGreaterThanOrEqual(ROWS / 100 - 1)
      expect(rowsOf(result)).toEqual(numbered(ROWS))
      expect(result).toMatchObject({
        partial: undefined,
        results: { counts: Array(ROWS).fill(1) },
      })
      expect(await scanner.next(ALL_ROWS, OWN_CALL)).toMatchObject(END)
    }
  })

  it('or many bytes, be it in several batches', async () => {
    const session = await withRows({ sliceCells: 0, value: 'x'.repeat(5000) })
    const atOnce = await session.scanner()
    const { turns, result } = await turnsDuring(() => atOnce.next(ALL_ROWS, OWN_CALL))
    expect(turns).toBeGreaterThanOrEqual(2)
    expect(rowsOf(result)).toEqual(numbered(ROWS))
    const inPages = await session.scanner()
    const paged = await turnsDuring(async () => {
      const rows: string[] = []
      for (let isOver = false; !isOver; ) {
        const batch = await inPages.next({ ...ALL_ROWS, rows: 100 }, OWN_CALL)
        rows.push(...rowsOf(batch))
        isOver = batch.ended === 'scan'
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
    await session.store.rows.mutate(TABLE, batch, OWN_CALL)
    for (const allowPartial of [false, true]) {
      const scanner = await session.scanner({ startRow: Buffer.from('z') })
      const { results, partial } = await scanner.next({ ...ALL_ROWS, allowPartial }, OWN_CALL)
      expect({ counts: results.counts, partial }).toEqual({ counts: [500], partial: undefined })
    }
  })

  it('counts rows and bytes over its pauses as without them', async () => {
    const session = await withRows({ sliceCells: 7 })
    for (const [limits, rows] of [
      [{ ...ALL_ROWS, rows: 33 }, 33],
      [{ ...ALL_ROWS, bytes: 1 }, 1],
      [{ ...ALL_ROWS, bytes: 0 }, 1],
    ] as const) {
      const scanner = await session.scanner()
      expect((await scanner.next(limits, OWN_CALL)).results.counts).toHaveLength(rows)
      await scanner.close()
    }
    const limited = await session.scanner({ limit: 50 })
    expect(rowsOf(await limited.next(ALL_ROWS, OWN_CALL))).toEqual(numbered(50))
  })

  it('stops where it is closed in a pause', async () => {
    const session = await withRows({ sliceCells: 100 })
    const scanner = await session.scanner()
    const { turns } = await turnsDuring(async () => {
      const batch = scanner.next(ALL_ROWS, OWN_CALL)
      await scanner.close()
      expect(await batch).toMatchObject(END)
    })
    expect(turns).toBeLessThanOrEqual(2)
  })

  it('fails where its table or the store goes in a pause: what is missing must not look like the end', async () => {
    const session = await withRows({ sliceCells: 100 })
    const disabled = await session.scanner()
    const first = expect(disabled.next(ALL_ROWS, OWN_CALL)).rejects.toMatchObject({
      code: 'TABLE_NOT_ENABLED',
    })
    await session.store.catalog.disableTable(TABLE, OWN_CALL)
    await first
    await session.store.catalog.enableTable(TABLE, OWN_CALL)
    const open = await session.scanner()
    const second = expect(open.next(ALL_ROWS, OWN_CALL)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    await session.store.close()
    await second
  })
})
