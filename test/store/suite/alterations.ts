import { describe, expect, test } from 'vitest'
import { openScanner } from '../../../src/gateway/reads/scanner.ts'
import { ALL_VERSIONS, scan } from '../../../src/model/query.ts'
import { TimeRange } from '../../../src/model/time-range.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { described } from './described-table.ts'
import {
  bytes,
  columns,
  compactTable,
  drain,
  failure,
  flushTable,
  NO_LIMITS,
  type Session,
} from './store-under-test.ts'

const ALL = { maxVersions: ALL_VERSIONS }
const PAST = { timeRange: TimeRange.between(0n, 2n), ...ALL }

type Families = Record<string, Record<string, string>>

function alter({ store }: Session, families: Families): Promise<void> {
  return store.catalog.modifyTable(described('t', families), OWN_CALL)
}

/** Timestamps of the row's versions, newest first. */
async function versions(session: Session, query: object = ALL): Promise<string> {
  const cells = await session.get('r', query)
  return cells.map((cell) => /@(\d+)/.exec(cell)![1]!).join(' ')
}

async function settle({ store, table }: Session): Promise<void> {
  await flushTable(store, table)
  if (store.upkeep.compactions !== undefined) await compactTable(store, table, { major: true })
}

/** Tables that are altered while they are enabled. */
export function describeAlterations(start: () => Promise<Session>): void {
  describe('an altered family', () => {
    test.each(['memory', 'files'])('shows again what fewer versions hid, for cells in %s', async (place) => {
      const session = await start()
      await session.create(['f'], { VERSIONS: '5' })
      await session.putVersions('r', 'f:q', 1n, 2n, 3n, 4n, 5n)
      if (place === 'files') await flushTable(session.store, session.table)
      await alter(session, { f: { VERSIONS: '2' } })
      expect(await versions(session)).toBe('5 4')
      await alter(session, { f: { VERSIONS: '4' } })
      expect(await versions(session)).toBe('5 4 3 2')
    })

    test('does not get back what a compaction dropped', async () => {
      const session = await start()
      session.needsUpkeep('compactions')
      await session.create(['f'], { VERSIONS: '5' })
      await session.putVersions('r', 'f:q', 1n, 2n, 3n, 4n, 5n)
      await settle(session)
      await alter(session, { f: { VERSIONS: '2' } })
      await settle(session)
      await alter(session, { f: { VERSIONS: '5' } })
      expect(await versions(session)).toBe('5 4')
    })

    test('hides expired cells, but for MIN_VERSIONS of them, until its TTL is raised', async () => {
      const session = await start()
      await session.create(['f'], { VERSIONS: '9' })
      await session.putVersions('r', 'f:q', 1n, 2n, 3n, 4n)
      await flushTable(session.store, session.table)
      await alter(session, { f: { VERSIONS: '9', TTL: '60' } })
      expect(await versions(session)).toBe('')
      await alter(session, { f: { VERSIONS: '9', TTL: '1 MINUTE', MIN_VERSIONS: '2' } })
      expect(await versions(session)).toBe('4 3')
      await alter(session, { f: { VERSIONS: '9', TTL: 'FOREVER' } })
      expect(await versions(session)).toBe('4 3 2 1')
    })

    test('shows deleted cells to reads of their time while it keeps them', async () => {
      const session = await start()
      await session.create(['f'], { VERSIONS: '9', KEEP_DELETED_CELLS: 'TRUE' })
      await session.putVersions('r', 'f:q', 1n, 2n, 3n)
      await session.change((batch) => batch.deleteColumn(bytes('r'), bytes('f'), bytes('q'), 2n))
      await flushTable(session.store, session.table)
      for (const [kept, seen] of [
        ['TRUE', '1'],
        ['FALSE', ''],
        ['TRUE', '1'],
      ] as const) {
        await alter(session, { f: { VERSIONS: '9', KEEP_DELETED_CELLS: kept } })
        expect(await versions(session, PAST)).toBe(seen)
        expect(await versions(session)).toBe('3')
      }
    })

    test('has the attributes that nobody knows, until they are taken away', async () => {
      const session = await start()
      await session.create()
      await alter(session, { f: { unknown: 'kept' } })
      await session.reopen()
      const { store, table } = session
      expect((await store.catalog.table(table, OWN_CALL)).families[0]!.attributes.get('unknown')).toBe('kept')
      await alter(session, { f: {} })
      expect(await store.catalog.table(table, OWN_CALL)).toEqual(described('t'))
    })

    test('with versions that are no int is refused', async () => {
      const session = await start()
      await session.create()
      session.needs('stillTime')
      expect(await failure(alter(session, { f: { VERSIONS: '2147483648' } }))).toMatch(/2147483648/)
      expect(await session.store.catalog.table(session.table, OWN_CALL)).toEqual(described('t'))
    })
  })

  describe('families that come and go', () => {
    test('under writes leave the others whole', async () => {
      const session = await start()
      await session.create(['f'], { VERSIONS: '1' })
      let written = 0
      const ending = new AbortController()
      const writer = async (): Promise<void> => {
        while (!ending.signal.aborted)
          await session.put(`w${String(written++).padStart(6, '0')}`, 'f:q', 'v', 5n)
      }
      const writing = writer()
      for (let round = 0; round < 3; round++) {
        await alter(session, { f: {}, g: {} })
        await session.put('a', 'g:q', 'v', 5n)
        await flushTable(session.store, session.table)
        expect(await session.get('a', columns('g'))).toEqual(['a/g:q@5=v'])
        await alter(session, { f: {} })
        expect(await failure(session.get('a', columns('g')))).toMatch(/^NO_SUCH_COLUMN_FAMILY/)
        expect(await failure(session.put('a', 'g:q', 'v'))).toMatch(/NO_SUCH_COLUMN_FAMILY/)
      }
      ending.abort()
      await writing
      await session.reopen()
      expect(await session.scan()).toHaveLength(written)
      await alter(session, { f: {}, g: {} })
      expect(await session.get('a')).toEqual([])
    })

    /** HBase does so as far as its client has read ahead: docs/differences-from-hbase.md. */
    test('leave an open scanner the rows that it began with', async () => {
      const session = await start()
      await session.create(['f', 'g'], { VERSIONS: '3' })
      for (const row of ['a', 'b', 'c'])
        for (const column of ['f:q', 'g:q']) await session.putVersions(row, column, 1n, 2n)
      await flushTable(session.store, session.table)
      const scanner = await openScanner(session.store, session.table, scan(ALL), OWN_CALL)
      await scanner.next({ ...NO_LIMITS, rows: 1 }, OWN_CALL)
      await alter(session, { f: { VERSIONS: '1' }, h: {} })
      await session.put('b', 'h:q', 'v', 5n)
      expect(await drain(scanner)).toEqual([
        'b/f:q@2=2 b/f:q@1=1 b/g:q@2=2 b/g:q@1=1',
        'c/f:q@2=2 c/f:q@1=1 c/g:q@2=2 c/g:q@1=1',
      ])
      expect(await session.scan(ALL)).toEqual(['a/f:q@2=2', 'b/f:q@2=2 b/h:q@5=v', 'c/f:q@2=2'])
    })
  })
}
