import { describe, expect, test } from 'vitest'
import type { MutationBatch } from '../../../src/model/mutation.ts'
import { ALL_VERSIONS, type Query } from '../../../src/model/query.ts'
import { TimeRange } from '../../../src/model/time-range.ts'
import { LATEST_TIMESTAMP } from '../../../src/model/timestamp.ts'
import { bytes, columns, flushTable, type Session } from './store-under-test.ts'

const ALL = { maxVersions: ALL_VERSIONS }

type Tombstone = (batch: MutationBatch) => MutationBatch

const [R, F, Q] = [bytes('r'), bytes('f'), bytes('q')]
/**
 * Against versions 1 to 5 of a column: the versions seen as of 2, 3, 4 and 5, where the tombstone has the timestamp 3.
 */
const TOMBSTONES: [string, Tombstone, string[]][] = [
  ['a row', (batch) => batch.deleteRow(R, 3n), ['2 1', '', '4', '5 4']],
  ['a family', (batch) => batch.deleteFamily(R, F, 3n), ['2 1', '', '4', '5 4']],
  [
    'a version of a family',
    (batch) => batch.deleteFamilyVersion(R, F, 3n),
    ['2 1', '2 1', '4 2 1', '5 4 2 1'],
  ],
  ['a column', (batch) => batch.deleteColumn(R, F, Q, 3n), ['2 1', '', '4', '5 4']],
  ['a version of a column', (batch) => batch.deleteVersion(R, F, Q, 3n), ['2 1', '2 1', '4 2 1', '5 4 2 1']],
]

async function versionsOf(session: Session, options: Partial<Query>): Promise<string> {
  const cells = await session.get('r', { ...ALL, ...options })
  return cells.map((text) => text.slice(text.indexOf('=') + 1)).join(' ')
}

/** Reads of a table as it was at some time: Query.asOf. */
export function describePast(start: () => Promise<Session>): void {
  describe('the past', () => {
    test('has no cells of later times', async () => {
      const session = await start()
      session.needs('asOf')
      await session.create(['f'], { VERSIONS: '10' })
      await session.putVersions('r', 'f:q', 1n, 2n, 3n, 4n, 5n)
      await session.settle()
      expect(await session.get('r', { asOf: 3n })).toEqual(['r/f:q@3=3'])
      expect(await versionsOf(session, { asOf: 3n })).toBe('3 2 1')
      expect(await versionsOf(session, { asOf: 0n })).toBe('')
      expect(await versionsOf(session, { asOf: LATEST_TIMESTAMP })).toBe('5 4 3 2 1')
      expect(await versionsOf(session, { asOf: 4n, timeRange: TimeRange.between(2n, 9n) })).toBe('4 3 2')
      expect(await versionsOf(session, { asOf: 4n, ...columns('f:q'), familyOffset: 1 })).toBe('3 2 1')
      expect(await versionsOf(session, { asOf: 4n, maxVersions: 2 })).toBe('4 3')
    })

    test.each(TOMBSTONES)('has no later tombstones: of %s', async (_, tombstone, seen) => {
      const session = await start()
      session.needs('asOf')
      await session.create(['f'], { VERSIONS: '10' })
      await session.putVersions('r', 'f:q', 1n, 2n, 3n, 4n, 5n)
      // A flush drops the cells that a tombstone hides if it flushes both.
      await flushTable(session.store, session.table)
      await session.change(tombstone)
      await session.settle()
      const times = [2n, 3n, 4n, 5n]
      const found: string[] = []
      for (const asOf of times) found.push(await versionsOf(session, { asOf }))
      expect(found).toEqual(seen)
    })

    test.each(TOMBSTONES)(
      'is kept with deleted cells: before the tombstone of %s',
      async (_, tombstone, seen) => {
        const session = await start()
        session.needs('asOf')
        await session.create(['f'], { VERSIONS: '10', KEEP_DELETED_CELLS: 'TRUE' })
        await session.change(tombstone)
        await session.putVersions('r', 'f:q', 1n, 2n, 3n, 4n, 5n)
        await session.settle()
        const found: string[] = []
        for (const asOf of [2n, 3n, 4n, 5n]) found.push(await versionsOf(session, { asOf }))
        expect(found).toEqual(seen)
      },
    )

    test('is not what a time range shows, whose cells a later tombstone hides', async () => {
      const session = await start()
      session.needs('asOf')
      await session.create()
      await session.put('r', 'f:q', 'v', 5n)
      await flushTable(session.store, session.table)
      await session.change((batch) => batch.deleteColumn(R, F, Q, 7n))
      await session.settle()
      expect(await session.get('r', { timeRange: TimeRange.between(0n, 6n) })).toEqual([])
      expect(await session.get('r', { asOf: 6n })).toEqual(['r/f:q@5=v'])
    })

    test('of a scan: rows that were not there do not appear', async () => {
      const session = await start()
      session.needs('asOf')
      await session.create(['f'], { VERSIONS: '10' })
      for (const [row, timestamp] of [
        ['a', 3n],
        ['b', 7n],
        ['c', 2n],
        ['d', 4n],
      ] as const) {
        await session.put(row, 'f:q', 'v', timestamp)
      }
      await session.put('a', 'f:q', 'late', 9n)
      await flushTable(session.store, session.table)
      await session.change((batch) => batch.deleteRow(bytes('c'), 6n))
      await session.settle()
      const then = ['a/f:q@3=v', 'c/f:q@2=v', 'd/f:q@4=v']
      expect(await session.scan({ asOf: 5n })).toEqual(then)
      expect(await session.scan({ asOf: 5n, reversed: true })).toEqual([...then].reverse())
      expect(await session.scan({ asOf: 5n, limit: 2 })).toEqual(then.slice(0, 2))
      expect(await session.scan({ asOf: 5n, filter: { kind: 'PageFilter', pageSize: 1n } })).toEqual([
        then[0],
      ])
      expect(await session.scan({ asOf: 6n })).toEqual(['a/f:q@3=v', 'd/f:q@4=v'])
      expect(await session.scan({ asOf: 1n })).toEqual([])
      expect(await session.scan({ asOf: 5n, raw: true, ...ALL })).toEqual(then)
      expect(await session.scan({ asOf: 6n, raw: true, startRow: bytes('c'), limit: 1 })).toEqual([
        'c/f:@6 DeleteFamily c/f:q@2=v',
      ])
    })
  })
}
