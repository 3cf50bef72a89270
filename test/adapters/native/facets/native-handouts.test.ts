import { describe, expect, it } from 'vitest'
import { CellBlock, cellsOf } from '../../../../src/model/cell-block.ts'
import { type Scan, scan } from '../../../../src/model/query.ts'
import { gathered, type ScanBatch } from '../../../../src/model/results.ts'
import { ScatteredCells } from '../../../../src/model/scattered-cells.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import type { ScanLimits } from '../../../../src/store/handouts.ts'
import { numbered, StoreUnderTest, TABLE, tableOf } from '../store-under-test.ts'

const ALL: ScanLimits = { rows: 1000, bytes: 1 << 24, allowPartial: false }
const SCATTERED: ScanLimits = { ...ALL, allowScattered: true }

async function withRows(count: number, scanSliceCells = 1000): Promise<StoreUnderTest> {
  const session = await StoreUnderTest.open({ scanSliceCells })
  await session.createTable(tableOf('f'))
  await session.put(numbered(count))
  return session
}

async function open({ store }: StoreUnderTest, query: Partial<Scan> = {}): Promise<number> {
  return (await store.rows.openScanner(TABLE, scan(query), OWN_CALL)).id
}

function rowsOf({ results }: ScanBatch): string[] {
  return cellsOf(gathered(results).cells).map(({ row, value }) => `${row.toString()}=${value.toString()}`)
}

function expected(count: number): string[] {
  return numbered(count).map((row) => `${row}=v`)
}

describe('results of the native store', () => {
  it('are where the store has them only for those who allow it', async () => {
    const session = await withRows(20)
    const { handouts } = session.store
    const scattered = await handouts.next(await open(session), SCATTERED, OWN_CALL)
    expect(scattered.results.cells).toBeInstanceOf(ScatteredCells)
    for (const limits of [ALL, { ...ALL, allowScattered: false }]) {
      const batch = await handouts.next(await open(session), limits, OWN_CALL)
      expect(batch.results.cells).toBeInstanceOf(CellBlock)
      expect(rowsOf(batch)).toEqual(rowsOf(scattered))
    }
  })

  it('stay as they are over flushes and later batches until they are given back, and not a moment longer', async () => {
    const session = await withRows(20)
    const { handouts } = session.store
    const id = await open(session)
    const lent = await handouts.next(id, { ...SCATTERED, rows: 5 }, OWN_CALL)
    const block = await handouts.next(id, { ...ALL, rows: 5 }, OWN_CALL)
    await session.flush()
    await session.put(numbered(20), { value: 'later' })
    const other = await handouts.next(id, { ...ALL, rows: 5 }, OWN_CALL)
    expect([lent, block, other].flatMap(rowsOf)).toEqual(expected(15))
    const { buffer } = block.results.cells as CellBlock
    const [memory] = (lent.results.cells as ScatteredCells).memories
    for (const { results } of [lent, block]) handouts.release(results.loan!)
    expect(new Set(buffer)).toEqual(new Set([0xdb]))
    expect((lent.results.cells as ScatteredCells).count).toBe(0)
    expect(memory!.buffer.includes('r000000')).toBe(true)
    await handouts.closeScanner(id)
    expect(new Set(memory!.buffer)).toEqual(new Set([0xdb]))
  })

  it('that are given back twice give back nothing of another reader', async () => {
    const session = await withRows(20)
    const { handouts } = session.store
    const id = await open(session)
    const first = await handouts.next(id, { ...ALL, rows: 5 }, OWN_CALL)
    handouts.release(first.results.loan!)
    const second = await handouts.next(id, { ...ALL, rows: 5 }, OWN_CALL)
    expect((second.results.cells as CellBlock).buffer).toBe((first.results.cells as CellBlock).buffer)
    handouts.release(first.results.loan!)
    handouts.release(id)
    expect(rowsOf(second)).toEqual(expected(10).slice(5))
  })

  it('of several slices are one block, whose parts were given back', async () => {
    const session = await withRows(500, 100)
    const { handouts } = session.store
    for (const limits of [ALL, SCATTERED]) {
      const id = await open(session)
      const { results, ended, cellsSeen, position } = await handouts.next(id, limits, OWN_CALL)
      expect(results.cells).toBeInstanceOf(CellBlock)
      expect(cellsOf(gathered(results).cells).map(({ row }) => row.toString())).toEqual(numbered(500))
      expect({ ended, cellsSeen, position: String(position) }).toEqual({
        ended: 'scan',
        cellsSeen: 500,
        position: 'r000499',
      })
      handouts.release(results.loan!)
      expect(new Set((results.cells as CellBlock).buffer)).toEqual(new Set([0xdb]))
    }
  })

  it('are lent under ids that no scanner has', async () => {
    const session = await withRows(20)
    const { handouts } = session.store
    const ids: (number | undefined)[] = []
    for (let i = 0; i < 5; i++) {
      const id = await open(session)
      ids.push(id, (await handouts.next(id, i % 2 === 0 ? ALL : SCATTERED, OWN_CALL)).results.loan)
    }
    expect(ids).not.toContain(undefined)
    expect(new Set(ids).size).toBe(10)
  })
})

describe('a scan of the native store', () => {
  it('begins at the read point that it states, unless that is still to come', async () => {
    const session = await withRows(2)
    const { rows } = session.store
    const { readPoint } = await rows.openScanner(TABLE, scan(), OWN_CALL)
    session.time++
    await session.put(numbered(3), { value: 'later' })
    await session.flush()
    expect(await session.rows({ readPoint })).toEqual(['r000000=v', 'r000001=v'])
    const now = await rows.openScanner(TABLE, scan(), OWN_CALL)
    expect(now.readPoint).toBeGreaterThan(readPoint)
    const future = await rows.openScanner(TABLE, scan({ readPoint: now.readPoint + 1000n }), OWN_CALL)
    expect(future.readPoint).toBe(now.readPoint)
    expect(await session.rows({ readPoint: 0n })).toHaveLength(3)
  })

  it('of one region ends with it, of a table goes on in the next', async () => {
    const session = await StoreUnderTest.open()
    await session.createTable(tableOf('f'), ['m'])
    await session.put(['a', 'z'])
    const { store } = session
    const batch = await store.handouts.next(await open(session), ALL, OWN_CALL)
    expect([rowsOf(batch), batch.ended]).toEqual([['a=v', 'z=v'], 'scan'])
    const [first] = await store.catalog.regions(TABLE, OWN_CALL)
    const target = { table: TABLE, encodedName: first!.encodedName }
    const { id } = await store.rows.openScanner(target, scan(), OWN_CALL)
    const ofRegion = await store.handouts.next(id, ALL, OWN_CALL)
    expect([rowsOf(ofRegion), ofRegion.ended]).toEqual([['a=v'], 'scan'])
  })

  it('looks at the time after some cells, and ends the batch with what there is', async () => {
    const session = await withRows(1000, 100)
    const { handouts } = session.store
    const id = await open(session)
    const timed = { ...ALL, timeMs: 0 }
    const first = await handouts.next(id, timed, OWN_CALL)
    expect(first).toMatchObject({ ended: 'batch', cellsSeen: 100 })
    expect([first.results.counts.length, String(first.position)]).toEqual([100, 'r000099'])
    const nothing = await open(session, { asOf: 1n })
    const empty = await handouts.next(nothing, timed, OWN_CALL)
    expect(empty).toMatchObject({ ended: 'batch', cellsSeen: 100, results: { counts: [] } })
    expect(String(empty.position)).toBe('r000099')
    const rest = await handouts.next(nothing, { ...ALL, timeMs: 1000 }, OWN_CALL)
    expect(rest).toMatchObject({ ended: 'scan', cellsSeen: 900, results: { counts: [] } })
  })
})
