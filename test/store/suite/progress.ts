import { describe, expect, test } from 'vitest'
import { openScanner } from '../../../src/gateway/reads/scanner.ts'
import type { Filter } from '../../../src/model/filter.ts'
import { get, type Scan, scan } from '../../../src/model/query.ts'
import type { ScanBatch } from '../../../src/model/results.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import type { ScanLimits } from '../../../src/store/handouts.ts'
import { described } from './described-table.ts'
import { bytes, columns, NO_LIMITS, resultTexts, type Session } from './store-under-test.ts'

/** Looks at every cell, and lets none through. */
const NOTHING: Filter = {
  kind: 'ValueFilter',
  operator: 'EQUAL',
  comparator: { kind: 'BinaryComparator', value: bytes('of no cell') },
}
const MANY_ROWS = 600

async function batches(session: Session, wanted: Partial<Scan>, limits: ScanLimits): Promise<ScanBatch[]> {
  const scanner = await openScanner(session.store, session.table, scan(wanted), OWN_CALL)
  const all: ScanBatch[] = []
  do all.push(await scanner.next(limits, OWN_CALL))
  while (all.at(-1)!.ended !== 'scan')
  await scanner.close()
  return all
}

function rowsOf(all: readonly ScanBatch[]): string {
  return all.flatMap(({ results }) => resultTexts(results).map((text) => text.split('/')[0])).join(' ')
}

/** Regions [ -m), [m-x), [x- ), the second without rows. */
async function threeRegions(session: Session): Promise<void> {
  await session.store.catalog.createTable(described('t'), ['m', 'x'].map(bytes), OWN_CALL)
  for (const row of ['a', 'b', 'y', 'z']) await session.put(row, 'f:q', 'v', 5n)
  await session.settle()
}

async function manyRows(session: Session): Promise<void> {
  await session.create()
  await session.putRows(MANY_ROWS, 3)
  await session.settle()
}

/** The rows of the gets that were answered, `-` where one found nothing. */
async function answered(session: Session, rows: readonly string[], limit: number): Promise<string> {
  const gets = rows.map((row) => get(bytes(row)))
  const results = await session.store.rows.get(session.table, gets, { bytes: limit }, OWN_CALL)
  return resultTexts(results)
    .map((text) => text.split('/')[0] || '-')
    .join(' ')
}

/** The extent of an answer: why a batch ended, where the scan stands then, and which gets were answered. */
export function describeProgress(start: () => Promise<Session>): void {
  describe('what ended a batch', () => {
    test('without limits a region, or the scan', async () => {
      const session = await start()
      await threeRegions(session)
      for (const reversed of [false, true]) {
        const all = await batches(session, { reversed }, NO_LIMITS)
        expect(rowsOf(all)).toBe(reversed ? 'z y b a' : 'a b y z')
        expect(new Set(all.slice(0, -1).map(({ ended }) => ended)).has('batch')).toBe(false)
      }
    })

    test('a limit of the caller', async () => {
      const session = await start()
      await threeRegions(session)
      const all = await batches(session, {}, { ...NO_LIMITS, rows: 1 })
      expect(rowsOf(all)).toBe('a b y z')
      expect(all[0]!.ended).toBe('batch')
      expect(all.every(({ results }) => results.counts.length <= 1)).toBe(true)
    })

    test('the limit of the scan', async () => {
      const session = await start()
      await threeRegions(session)
      const all = await batches(session, { limit: 3 }, NO_LIMITS)
      expect(rowsOf(all)).toBe('a b y')
      expect(all.at(-1)!.ended).toBe('scan')
    })

    test('there is nothing more after the end', async () => {
      const session = await start()
      await threeRegions(session)
      const scanner = await openScanner(session.store, session.table, scan({ limit: 1 }), OWN_CALL)
      while ((await scanner.next(NO_LIMITS, OWN_CALL)).ended !== 'scan');
      const after = await scanner.next(NO_LIMITS, OWN_CALL)
      expect([after.ended, after.results.counts]).toEqual(['scan', []])
      await scanner.close()
    })
  })

  describe('parts of rows', () => {
    test('each says whether its row goes on', async () => {
      const session = await start()
      await session.create()
      for (const [row, cells] of [
        ['a', 1],
        ['b', 5],
        ['c', 2],
      ] as const) {
        for (let i = 0; i < cells; i++) await session.put(row, `f:q${i}`, 'v', 5n)
      }
      await session.settle()
      const [whole] = await batches(session, { batch: 2 }, NO_LIMITS)
      expect(whole!.results.counts).toEqual([1, 2, 2, 1, 2])
      expect(whole!.partial?.slice(0, 4)).toEqual([false, true, true, false])
      const single = await batches(session, { batch: 2 }, { ...NO_LIMITS, rows: 1 })
      const parts = single.filter(({ results }) => results.counts.length > 0)
      expect(parts.map(({ results }) => results.counts)).toEqual([[1], [2], [2], [1], [2]])
      expect(parts.slice(0, 4).map(({ partial }) => partial?.[0] ?? false)).toEqual([
        false,
        true,
        true,
        false,
      ])
    })

    test('whole rows are not parts', async () => {
      const session = await start()
      await threeRegions(session)
      const all = await batches(session, {}, { ...NO_LIMITS, rows: 2, allowPartial: true })
      expect(all.map(({ partial }) => partial).filter((partial) => partial !== undefined)).toEqual([])
    })
  })

  describe('where a scan stands', () => {
    test('is the last row that was looked at', async () => {
      const session = await start()
      session.needs('progress')
      await threeRegions(session)
      const all = await batches(session, {}, { ...NO_LIMITS, rows: 1 })
      const positions = all.filter(({ results }) => results.counts.length > 0).map(({ position }) => position)
      expect(positions.map(String)).toEqual(['a', 'b', 'y', 'z'])
      expect(all.every(({ results, cellsSeen }) => cellsSeen >= results.counts.length)).toBe(true)
    })

    test('is told though nothing is shown', async () => {
      const session = await start()
      session.needs('progress')
      await threeRegions(session)
      for (const [reversed, last] of [
        [false, 'z'],
        [true, 'a'],
      ] as const) {
        const all = await batches(session, { filter: NOTHING, reversed }, NO_LIMITS)
        expect(rowsOf(all)).toBe('')
        expect(String(all.at(-1)!.position)).toBe(last)
        expect(all.reduce((sum, { cellsSeen }) => sum + cellsSeen, 0)).toBeGreaterThanOrEqual(4)
      }
    })

    test('a limit of time ends a batch without results, and the scan goes on from there', async () => {
      const session = await start()
      session.needs('timeLimit')
      await manyRows(session)
      const all = await batches(session, { filter: NOTHING }, { ...NO_LIMITS, timeMs: 0 })
      expect(rowsOf(all)).toBe('')
      expect(all.length).toBeGreaterThan(2)
      expect(all.slice(0, -1).every(({ ended }) => ended === 'batch')).toBe(true)
      const positions = all.slice(0, -1).map(({ position }) => String(position))
      expect(positions).toEqual([...positions].sort())
      expect(new Set(positions).size).toBe(positions.length)
      expect(all.slice(0, -1).every(({ cellsSeen }) => cellsSeen > 0)).toBe(true)
      const shown = await batches(session, columns('f:q0'), { ...NO_LIMITS, timeMs: 0 })
      expect(rowsOf(shown).split(' ')).toHaveLength(MANY_ROWS)
    })

    test('a limit of time that is not reached ends nothing', async () => {
      const session = await start()
      await manyRows(session)
      const all = await batches(session, { filter: NOTHING }, { ...NO_LIMITS, timeMs: 1_000_000 })
      expect(all.map(({ ended }) => ended)).toEqual(['scan'])
    })
  })

  describe('gets up to a size', () => {
    test('the first ones are answered, in their order, and at least one', async () => {
      const session = await start()
      await session.store.catalog.createTable(described('t'), ['m', 'x'].map(bytes), OWN_CALL)
      for (const row of ['a', 'b', 'n', 'y', 'z']) await session.put(row, 'f:q', 'v'.repeat(1000), 5n)
      await session.settle()
      const rows = ['z', 'a', 'none', 'n', 'b', 'y']
      expect(await answered(session, rows, 1_000_000)).toBe('z a - n b y')
      expect(await answered(session, rows, 1)).toBe('z')
      expect(await answered(session, rows, 0)).toBe('z')
      expect(await answered(session, rows, 1500)).toBe('z a')
      expect(await answered(session, rows, 2500)).toBe('z a - n')
      expect(await answered(session, ['none', 'nor', 'z', 'a'], 1)).toBe('- - z')
    })
  })
}
