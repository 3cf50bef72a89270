import { describe, expect, test } from 'vitest'
import { openScanner } from '../../../src/gateway/reads/scanner.ts'
import type { Filter } from '../../../src/model/filter.ts'
import { DEFAULT_MUTATION_OPTIONS, MutationBatch } from '../../../src/model/mutation.ts'
import { get, scan } from '../../../src/model/query.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { described } from './described-table.ts'
import { increment, put } from './row-operations.ts'
import {
  bytes,
  columns,
  drain,
  failure,
  NO_GET_LIMITS,
  NO_LIMITS,
  resultTexts,
  type Session,
} from './store-under-test.ts'

const ONE_ROW = { ...NO_LIMITS, rows: 1 }
const ROWS = ['a', 'b', 'c', 'd']

async function fourRows(session: Session): Promise<void> {
  await session.store.catalog.createTable(described('t'), [bytes('c')], OWN_CALL)
  for (const row of ROWS) {
    await session.put(row, 'f:q', 'v', 5n)
    await session.put(row, 'f:z', 'v', 5n)
  }
  await session.settle()
}

/** Scanners, loans, and the buffers of both sides. */
export function describeHandouts(start: () => Promise<Session>): void {
  describe('scanners by id', () => {
    test('an id that is not open, or no more', async () => {
      const session = await start()
      await fourRows(session)
      const { rows, handouts } = session.store
      const { id } = await rows.openScanner(session.table, scan(), OWN_CALL)
      expect(await failure(handouts.next(id + 1000, ONE_ROW, OWN_CALL))).toMatch(/^UNKNOWN_SCANNER/)
      expect((await handouts.next(id, ONE_ROW, OWN_CALL)).results.counts).toEqual([2])
      await handouts.closeScanner(id)
      await handouts.closeScanner(id)
      expect(await failure(handouts.next(id, ONE_ROW, OWN_CALL))).toMatch(/^UNKNOWN_SCANNER/)
    })

    test('no id is given twice', async () => {
      const session = await start()
      await fourRows(session)
      const { rows, handouts } = session.store
      const ids: number[] = []
      for (let i = 0; i < 20; i++) {
        const { id } = await rows.openScanner(session.table, scan(), OWN_CALL)
        ids.push(id)
        await handouts.closeScanner(id)
      }
      expect(new Set(ids).size).toBe(20)
    })

    test('a scan sees what another one did, where it is told its read point', async () => {
      const session = await start()
      await fourRows(session)
      const { rows, handouts } = session.store
      const first = await rows.openScanner(session.table, scan(), OWN_CALL)
      await session.put('a', 'f:late', 'v', 5n)
      const second = await rows.openScanner(session.table, scan({ readPoint: first.readPoint }), OWN_CALL)
      const { results } = await handouts.next(second.id, ONE_ROW, OWN_CALL)
      const late = first.readPoint === 0n ? 'a/f:late@5=v ' : ''
      expect(resultTexts(results)).toEqual([`${late}a/f:q@5=v a/f:z@5=v`])
      for (const { id } of [first, second]) await handouts.closeScanner(id)
    })
  })

  describe('loans', () => {
    test('are given back, twice too, and other results stay as they are', async () => {
      const session = await start()
      await fourRows(session)
      const { rows, handouts } = session.store
      const kept = await rows.get(session.table, [get(bytes('d'))], NO_GET_LIMITS, OWN_CALL)
      const { id } = await rows.openScanner(session.table, scan(), OWN_CALL)
      const seen: string[] = []
      for (let ended = 'batch'; ended !== 'scan'; ) {
        const batch = await handouts.next(id, { ...ONE_ROW, allowScattered: true }, OWN_CALL)
        seen.push(...resultTexts(batch.results))
        const { loan } = batch.results
        if (loan !== undefined) for (let i = 0; i < 2; i++) handouts.release(loan)
        ended = batch.ended
      }
      await handouts.closeScanner(id)
      expect(seen).toEqual(ROWS.map((row) => `${row}/f:q@5=v ${row}/f:z@5=v`))
      expect(resultTexts(kept)).toEqual(['d/f:q@5=v d/f:z@5=v'])
      if (kept.loan !== undefined) for (let i = 0; i < 2; i++) handouts.release(kept.loan)
      expect(await session.scan()).toEqual(seen)
    })

    test('results that nobody gives back stay, beside others that come and go', async () => {
      const session = await start()
      await fourRows(session)
      const { rows, handouts } = session.store
      const { id } = await rows.openScanner(session.table, scan({ limit: 2 }), OWN_CALL)
      const first = await handouts.next(id, { ...ONE_ROW, allowScattered: true }, OWN_CALL)
      for (let i = 0; i < 10; i++) {
        const other = await rows.get(session.table, [get(bytes('b'))], NO_GET_LIMITS, OWN_CALL)
        expect(resultTexts(other)).toEqual(['b/f:q@5=v b/f:z@5=v'])
        if (other.loan !== undefined) handouts.release(other.loan)
        await session.put('a', 'f:q', `v${i}`, BigInt(6 + i))
      }
      expect(resultTexts(first.results)).toEqual(['a/f:q@5=v a/f:z@5=v'])
      await handouts.closeScanner(id)
    })
  })

  describe('what is handed in', () => {
    test('is not written to', async () => {
      const session = await start()
      await session.create()
      const batch = new MutationBatch()
      batch.put(bytes('r'), bytes('f'), bytes('q'), bytes('v')).endMutation()
      batch.deleteVersion(bytes('r'), bytes('f'), bytes('q')).deleteRow(bytes('r')).endMutation()
      batch.put(bytes('r'), bytes('nope'), bytes('q'), bytes('v')).endMutation()
      const before = Buffer.from(batch.cells.buffer)
      await session.store.rows.mutate(session.table, batch, OWN_CALL)
      expect(batch.cells.buffer.equals(before)).toBe(true)
      const operations = [put('r', 'f:q', 'v'), increment('r', 'f:n', 1n)]
      const cellsBefore = operations.map(({ cells }) => Buffer.from(cells.buffer))
      const mutation = { row: bytes('r'), operations, options: DEFAULT_MUTATION_OPTIONS }
      await session.store.rows.mutateRow(session.table, mutation, OWN_CALL)
      expect(operations.map(({ cells }) => cells.buffer)).toEqual(cellsBefore)
    })

    test('may be overwritten once a scanner is open', async () => {
      const session = await start()
      await fourRows(session)
      const value = bytes('v')
      const filter: Filter = {
        kind: 'ValueFilter',
        operator: 'EQUAL',
        comparator: { kind: 'BinaryComparator', value },
      }
      const wanted = scan({ startRow: bytes('b'), stopRow: bytes('d'), ...columns('f:q'), filter })
      const scanner = await openScanner(session.store, session.table, wanted, OWN_CALL)
      const { startRow, stopRow } = wanted
      const [{ family, qualifiers }] = wanted.columns as [(typeof wanted.columns)[number]]
      for (const buffer of [startRow, stopRow, family, ...qualifiers!, value]) buffer.fill(0)
      expect(await drain(scanner, ONE_ROW)).toEqual(['b/f:q@5=v', 'c/f:q@5=v'])
    })
  })
}
