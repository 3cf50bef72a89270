import { describe, expect, test } from 'vitest'
import { openScanner } from '../../../src/gateway/reads/scanner.ts'
import type { Filter } from '../../../src/model/filter.ts'
import { DEFAULT_MUTATION_OPTIONS, MutationBatch } from '../../../src/model/mutation.ts'
import { get, scan } from '../../../src/model/query.ts'
import { type Call, OWN_CALL } from '../../../src/store/call.ts'
import { described } from './described-table.ts'
import { put } from './row-operations.ts'
import { bytes, failure, NO_GET_LIMITS, NO_LIMITS, type Session } from './store-under-test.ts'

const MANY_ROWS = 1200
/** Looks at every cell, and lets none through. */
const NOTHING: Filter = {
  kind: 'ValueFilter',
  operator: 'EQUAL',
  comparator: { kind: 'BinaryComparator', value: bytes('of no cell') },
}

/** A client that is there until it hangs up. */
function caller(): { readonly call: Call; readonly hangUp: () => void } {
  const controller = new AbortController()
  return { call: { ...OWN_CALL, signal: controller.signal }, hangUp: () => controller.abort() }
}

function goneCaller(): Call {
  const { call, hangUp } = caller()
  hangUp()
  return call
}

/** Requests that need no scanner; none of them may be carried out. */
function requests({ store, table }: Session, call: Call): Promise<unknown>[] {
  const { rows, catalog } = store
  const batch = new MutationBatch()
  batch.put(bytes('r'), bytes('f'), bytes('q'), bytes('late'), 9n).endMutation()
  const mutation = {
    row: bytes('r'),
    operations: [put('r', 'f:q', 'late', 9n)],
    options: DEFAULT_MUTATION_OPTIONS,
  }
  return [
    rows.get(table, [get(bytes('r'))], NO_GET_LIMITS, call),
    rows.openScanner(table, scan(), call),
    rows.mutate(table, batch, call),
    rows.mutateRow(table, mutation, call),
    catalog.listTables(call),
    catalog.createTable(described('u'), [], call),
    catalog.disableTable(table, call),
  ]
}

async function oneRow(session: Session): Promise<void> {
  await session.create()
  await session.put('r', 'f:q', 'v', 5n)
}

async function manyRows(session: Session): Promise<void> {
  await session.create()
  await session.putRows(MANY_ROWS, 4)
}

/** Clients that hang up, and deadlines. */
export function describeCallers(start: () => Promise<Session>): void {
  describe('nobody waits any more', () => {
    test('where the client had gone before', async () => {
      const session = await start()
      await oneRow(session)
      const scanner = await openScanner(session.store, session.table, scan(), OWN_CALL)
      const call = goneCaller()
      for (const text of await Promise.all([
        ...requests(session, call).map(failure),
        failure(scanner.next(NO_LIMITS, call)),
      ])) {
        expect(text).toMatch(/^CALLER_GONE/)
      }
      expect(await session.scan()).toEqual(['r/f:q@5=v'])
      expect((await session.store.catalog.listTables(OWN_CALL)).map(({ name }) => name)).toEqual(['t'])
      // The scan goes on in another call.
      expect((await scanner.next(NO_LIMITS, OWN_CALL)).results.counts).toEqual([1])
      await scanner.close()
    })

    test('where the deadline has passed', async () => {
      const session = await start()
      await oneRow(session)
      const scanner = await openScanner(session.store, session.table, scan(), OWN_CALL)
      const call = { ...OWN_CALL, deadline: session.clock.time - 1 }
      for (const text of await Promise.all([
        ...requests(session, call).map(failure),
        failure(scanner.next(NO_LIMITS, call)),
      ])) {
        expect(text).toMatch(/^TIMEOUT/)
      }
      expect(await session.scan()).toEqual(['r/f:q@5=v'])
      await scanner.close()
    })

    test('where the client hangs up within a get of many rows', async () => {
      const session = await start()
      await manyRows(session)
      const gets = session.manyRowKeys(MANY_ROWS).map((row) => get(row))
      const { call, hangUp } = caller()
      const answer = failure(session.store.rows.get(session.table, gets, NO_GET_LIMITS, call))
      hangUp()
      expect(await answer).toMatch(/^CALLER_GONE/)
    })

    test('where the client hangs up within a scan', async () => {
      const session = await start()
      session.needs('slowScans')
      await manyRows(session)
      const scanner = await openScanner(session.store, session.table, scan({ filter: NOTHING }), OWN_CALL)
      const { call, hangUp } = caller()
      const answer = failure(scanner.next(NO_LIMITS, call))
      hangUp()
      expect(await answer).toMatch(/^CALLER_GONE/)
      await scanner.close()
      expect(await session.scan({ limit: 1 })).toHaveLength(1)
    })

    test('where the deadline passes within a get of many rows, and within a scan', async () => {
      const session = await start()
      session.needs('slowOpenings')
      await manyRows(session)
      const gets = session.manyRowKeys(MANY_ROWS).map((row) => get(row))
      const scanner = await openScanner(session.store, session.table, scan({ filter: NOTHING }), OWN_CALL)
      const call = { ...OWN_CALL, deadline: session.clock.time + 500 }
      const answers = [
        failure(session.store.rows.get(session.table, gets, NO_GET_LIMITS, call)),
        failure(scanner.next(NO_LIMITS, call)),
      ]
      session.clock.time += 1000
      for (const text of await Promise.all(answers)) expect(text).toMatch(/^TIMEOUT/)
      await scanner.close()
    })

    test('a deadline that is far away, and a client that stays, change nothing', async () => {
      const session = await start()
      await manyRows(session)
      const { call } = caller()
      const patient = { ...call, deadline: session.clock.time + 1_000_000 }
      const gets = session.manyRowKeys(MANY_ROWS).map((row) => get(row))
      const { counts } = await session.store.rows.get(session.table, gets, NO_GET_LIMITS, patient)
      expect(counts).toEqual(gets.map(() => 4))
      const scanner = await openScanner(session.store, session.table, scan(), patient)
      expect((await scanner.next(NO_LIMITS, patient)).results.counts).toHaveLength(MANY_ROWS)
      await scanner.close()
    })
  })
}
