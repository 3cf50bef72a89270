import { describe, expect, test } from 'vitest'
import { MutationBatch } from '../../../src/model/mutation.ts'
import { get } from '../../../src/model/query.ts'
import { regionName } from '../../../src/model/region-name.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { boundsOf, described } from './described-table.ts'
import { bytes, failure, NO_GET_LIMITS, type Session } from './store-under-test.ts'

/** Regions of a table: their bounds, and reads and writes across them. */
export function describeRegions(start: () => Promise<Session>): void {
  describe('regions', () => {
    test('one for the table, or one more than there are split keys', async () => {
      const session = await start()
      const name = session.table
      const splits = ['b', 'a', '\x00\xff'].map(bytes)
      await session.store.catalog.createTable(described('t'), splits, OWN_CALL)
      const made = session.clock.time
      session.clock.time += 1000
      await session.reopen()
      const regions = await session.store.catalog.regions(name, OWN_CALL)
      expect(boundsOf(regions)).toEqual(['..\x00\xff', '\x00\xff..a', 'a..b', 'b..'])
      for (const region of regions) {
        expect(region).toMatchObject({
          table: name,
          regionId: made,
          ...regionName(name, region.startKey, made),
        })
      }
      const rows = ['\x00', '\x00\xff', '\x01', 'a', 'aa', 'b', 'z']
      for (const row of rows) await session.put(row, 'f:q', 'v', 5n)
      const seen = async (reversed: boolean): Promise<string[]> =>
        (await session.scan({ reversed }, { rows: 1, bytes: 100, allowPartial: false })).map(
          (text) => text.split('/')[0]!,
        )
      const inOrder = ['\\x00', '\\x00\\xFF', '\\x01', 'a', 'aa', 'b', 'z']
      expect(await seen(false)).toEqual(inOrder)
      expect(await seen(true)).toEqual([...inOrder].reverse())
      expect(await session.scan({ limit: 3 })).toHaveLength(3)
      expect(await session.scan({ limit: 4, reversed: true, startRow: bytes('aa') })).toHaveLength(4)
      const results = await session.store.rows.get(
        name,
        [...rows].reverse().map((row) => get(bytes(row))),
        NO_GET_LIMITS,
        OWN_CALL,
      )
      expect(results.counts).toEqual(rows.map(() => 1))
    })

    test('a mutation of rows in several regions, and the failures of each in the order of all', async () => {
      const session = await start()
      const name = session.table
      await session.store.catalog.createTable(described('t'), [bytes('m')], OWN_CALL)
      const batch = new MutationBatch()
      for (const [row, family] of [
        ['z', 'f'],
        ['a', 'nope'],
        ['y', 'nope'],
        ['b', 'f'],
        ['x', 'nope'],
      ] as const) {
        batch.put(bytes(row), bytes(family), bytes('q'), bytes('v'), 5n).endMutation()
      }
      const failures = await session.store.rows.mutate(name, batch, OWN_CALL)
      expect(failures.map(({ index }) => index)).toEqual([1, 2, 4])
      expect(await session.scan()).toEqual(['b/f:q@5=v', 'z/f:q@5=v'])
    })

    test('split keys that are empty or double are refused', async () => {
      const { store } = await start()
      expect(await failure(store.catalog.createTable(described('t'), [bytes('')], OWN_CALL))).toBe(
        'ILLEGAL_ARGUMENT: Empty split key must not be passed in the split keys.',
      )
      expect(
        await failure(store.catalog.createTable(described('t'), ['b', 'a', 'b'].map(bytes), OWN_CALL)),
      ).toBe('ILLEGAL_ARGUMENT: All split keys must be unique, found duplicate: b, b')
      expect(await store.catalog.listTables(OWN_CALL)).toEqual([])
    })
  })
}
