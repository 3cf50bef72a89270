import { describe, expect, test } from 'vitest'
import { ALL_VERSIONS } from '../../../src/model/query.ts'
import { bytes, compactTable, type Session } from './store-under-test.ts'
import { type Change, columnDelete, familyDelete, familyVersionDelete, versionDelete } from './tombstones.ts'

function put(timestamp: bigint): Change {
  return (batch) => batch.put(bytes('r'), bytes('f'), bytes('q'), bytes('v'), timestamp)
}

/** The writes, the family's VERSIONS, and the timestamps that are there afterwards. */
const HISTORIES: [string, readonly (readonly Change[])[], number, string][] = [
  ['a put after the tombstone of its family', [[familyDelete(9n)], [put(5n)]], 3, '5'],
  ['a put before the tombstone of its family', [[put(5n)], [familyDelete(9n)]], 3, ''],
  ['a put and the tombstone of its family in one write', [[put(5n), familyDelete(9n)]], 3, ''],
  ['a put after the tombstone of its column', [[put(5n)], [columnDelete(9n)], [put(4n)]], 3, '4'],
  ['a version written again after its tombstone', [[put(5n)], [versionDelete(5n)], [put(5n)]], 3, '5'],
  [
    'a version that was pushed out',
    [[put(1n)], [put(5n)], [put(6n)], [put(7n)], [versionDelete(7n)]],
    3,
    '6 5',
  ],
  [
    'a version written after another was deleted',
    [[put(5n)], [put(6n)], [put(7n)], [versionDelete(7n)], [put(1n)]],
    3,
    '6 5 1',
  ],
  [
    'a version pushed out, and written again',
    [[put(5n)], [put(6n)], [put(7n)], [put(8n)], [versionDelete(8n)], [put(5n)]],
    3,
    '7 6 5',
  ],
  ['a version behind two of one write', [[put(5n)], [put(9n), put(7n)], [versionDelete(7n)]], 2, '9 5'],
  ['a version behind two of two writes', [[put(5n)], [put(9n)], [put(7n), familyVersionDelete(7n)]], 2, '9'],
]

/** Families with NEW_VERSION_BEHAVIOR, which go by the order of the writes. HBase: NewVersionBehaviorTracker. */
export function describeNewVersions(start: () => Promise<Session>): void {
  describe('a family with NEW_VERSION_BEHAVIOR', () => {
    test.each(HISTORIES)('has or has not %s', async (_, writes, versions, left) => {
      const session = await start()
      await session.create(['f'], { VERSIONS: String(versions), NEW_VERSION_BEHAVIOR: 'true' })
      for (const changes of writes) {
        await session.change((batch) => {
          for (const change of changes) change(batch)
        })
      }
      await session.settle()
      const timestamps = async (): Promise<string> =>
        (await session.get('r', { maxVersions: ALL_VERSIONS }))
          .map((cell) => /@(\d+)/.exec(cell)![1]!)
          .join(' ')
      expect(await timestamps()).toBe(left)
      if (session.store.upkeep.compactions === undefined) return
      await compactTable(session.store, session.table, { major: true })
      expect(await timestamps()).toBe(left)
    })
  })
}
