/** A backup and the entries behind it become the store as it was at any moment. */

import { expect, test } from 'vitest'
import { familyDescriptor, tableDescriptor } from '../../../../src/model/descriptor.ts'
import { parseTableName } from '../../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { SimRandom } from '../../../harness/simulation/sim-random.ts'
import { SEED, testRuns } from '../../../harness/test-runs.ts'
import { StoreUnderTest, TABLE, tableOf } from '../store-under-test.ts'
import {
  ArchivedHistory,
  dumpOf,
  FollowedStore,
  inRestored,
  restoredAt,
  withoutClosed,
} from './archived-history.ts'

const STEPS = 120
const RESTORES = 8

test('random histories are restored to random moments as the store was then', async () => {
  const seed = SEED ?? Math.floor(Math.random() * 2 ** 32)
  for (let run = 0; run < testRuns(12); run++) {
    const random = new SimRandom(seed + run)
    const history = await ArchivedHistory.open(random)
    try {
      for (let step = 0; step < STEPS; step++) await history.step()
    } finally {
      await history.close()
    }
    for (let restores = 0; restores < RESTORES; restores++) {
      const backup = random.of(history.backups)
      const { at, dump } = random.of(history.dumps.filter((each) => each.at >= backup.at))
      const restored = await restoredAt(backup, history.entries, at)
      const where = `seed ${seed + run}, from ${backup.at} to ${at}`
      const found = await inRestored(restored, async (store) => {
        expect(withoutClosed(await dumpOf(store), { expected: dump }), where).toEqual(
          withoutClosed(dump, { expected: dump }),
        )
      })
      expect(found, where).toEqual([])
    }
  }
}, 120_000)

test('a record of several regions, after a merge, becomes several: what comes later keeps its place among them', async () => {
  const followed = await FollowedStore.open(await StoreUnderTest.open())
  const { session } = followed
  await session.createTable(tableOf('f', 'g'), ['m'])
  const backup = await followed.backUp()
  await followed.mergeAll(TABLE)
  for (let i = 0; i < 5; i++) await session.put(['a', 'z', 'b', 'y'], { value: `f${i}` })
  await session.put(['a', 'z'], { family: 'g', value: 'gone' })
  const { catalog } = session.store
  await catalog.modifyTable(tableOf('f'), OWN_CALL)
  await catalog.modifyTable(tableDescriptor(TABLE, [familyDescriptor('f'), familyDescriptor('g')]), OWN_CALL)
  await session.put(['a'], { family: 'g', value: 'new' })
  const expected = await session.rows()
  const restored = await restoredAt(backup, await followed.read(), session.time)
  const found = await inRestored(restored, async (store) => {
    const other = new StoreUnderTest()
    other.store = store
    expect(await other.rows()).toEqual(expected)
    expect(await other.rows({ startRow: Buffer.from('m') })).toEqual(['y=f4', 'z=f4'])
    await other.put(['k'])
    expect(await other.rows()).toHaveLength(expected.length + 1)
  })
  expect(found).toEqual([])
})

test('records that the backup has, or that come twice, are left out', async () => {
  const followed = await FollowedStore.open(await StoreUnderTest.open())
  const { session } = followed
  await session.createTable(tableOf('f'))
  await session.put(['before'])
  const backup = await followed.backUp()
  await session.put(['after'])
  const entries = await followed.read()
  const records = entries.filter(({ kind }) => kind === 'records')
  expect(records).toHaveLength(2)
  const restored = await restoredAt(backup, [...entries, ...records], session.time)
  const found = await inRestored(restored, async (store) => {
    const other = new StoreUnderTest()
    other.store = store
    expect(await other.rows()).toEqual(['after=v', 'before=v'])
  })
  expect(found).toEqual([])
})

test('cells without a record, and later snapshots, are named, where their tables are still there', async () => {
  const followed = await FollowedStore.open(await StoreUnderTest.open())
  const { session } = followed
  const { snapshots } = session.store.upkeep
  await session.createTable(tableOf('f'))
  await session.put(['a'])
  const backup = await followed.backUp()
  await snapshots!.createSnapshot('s', TABLE, 'FLUSH', OWN_CALL)
  const [clone, gone] = ['clone', 'gone'].map((name) => parseTableName(name))
  await snapshots!.cloneSnapshot('s', clone!, OWN_CALL)
  await snapshots!.cloneSnapshot('s', gone!, OWN_CALL)
  await session.store.catalog.disableTable(gone!, OWN_CALL)
  await session.store.catalog.deleteTable(gone!, OWN_CALL)
  const entries = await followed.read()
  const { plan } = await restoredAt(backup, entries, session.time)
  const times = { first: session.time, last: session.time }
  expect(plan.unlogged).toEqual([{ table: 'clone', ...times }])
  expect(plan.laterSnapshots).toEqual(['s'])
  expect([...plan.tables].sort()).toEqual(['clone', 't'])
})

test('single tables are restored, without the files and records of others', async () => {
  const followed = await FollowedStore.open(await StoreUnderTest.open())
  const { session } = followed
  await session.createTable(tableOf('f'))
  const other = parseTableName('other')
  await session.store.catalog.createTable(tableDescriptor(other, [familyDescriptor('f')]), [], OWN_CALL)
  await session.put(['a'])
  const backup = await followed.backUp()
  await session.put(['b'])
  const restored = await restoredAt(backup, await followed.read(), session.time, new Set(['other']))
  expect(restored.fileSystem.paths().filter((path) => path.startsWith('/s/data/'))).toEqual([])
  const found = await inRestored(restored, async (store) => {
    expect(await store.catalog.listTables(OWN_CALL, 'names')).toMatchObject([{ name: 'other' }])
  })
  expect(found).toEqual([])
})
