import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { parseTableName } from '../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { StoreUnderTest, TABLE, tableOf } from './store-under-test.ts'

const CLONE = parseTableName('clone')
const EXPIRED = {
  javaClass: 'org.apache.hadoop.hbase.snapshot.SnapshotTTLExpiredException',
  message: "TTL for snapshot 's' has already expired.",
}

async function withSnapshot(): Promise<StoreUnderTest> {
  const session = await StoreUnderTest.open()
  await session.createTable(tableOf('f'))
  await session.put(['a'])
  const options = { timeToLiveSeconds: 60n }
  await session.store.upkeep.snapshots!.createSnapshot('s', TABLE, 'FLUSH', OWN_CALL, options)
  return session
}

async function names({ store }: StoreUnderTest): Promise<string[]> {
  return (await store.upkeep.snapshots!.listSnapshots(OWN_CALL)).map(({ name }) => name)
}

/** HBase's hbase.master.cleaner.snapshot.interval. */
const HALF_HOUR = 1_800_000

async function wake(session: StoreUnderTest): Promise<void> {
  session.wake()
  for (let turn = 0; turn < 50; turn++) await nextTurn()
}

async function expectExpired({ store }: StoreUnderTest): Promise<void> {
  const { snapshots } = store.upkeep
  const late = parseTableName('late')
  await expect(snapshots!.cloneSnapshot('s', late, OWN_CALL)).rejects.toMatchObject(EXPIRED)
  await expect(snapshots!.restoreSnapshot('s', OWN_CALL)).rejects.toMatchObject(EXPIRED)
  expect(await store.catalog.tableExists(late, OWN_CALL)).toBe(false)
}

test('a snapshot whose time is over is listed until the cleaner looks, and neither cloned nor restored', async () => {
  const session = await withSnapshot()
  await wake(session)
  session.time += 59_999
  await session.store.upkeep.snapshots!.cloneSnapshot('s', CLONE, OWN_CALL)
  await session.store.catalog.disableTable(TABLE, OWN_CALL)
  session.time = session.time + HALF_HOUR - 60_000
  await wake(session)
  expect(await names(session)).toEqual(['s'])
  await expectExpired(session)
  session.time++
  await wake(session)
  expect(await names(session)).toEqual([])
  await expectExpired(session)
})

test('a new snapshot of the name has a time of its own', async () => {
  const session = await withSnapshot()
  const snapshots = session.store.upkeep.snapshots!
  session.time += 60_000
  await wake(session)
  expect(await names(session)).toEqual([])
  await snapshots.createSnapshot('s', TABLE, 'FLUSH', OWN_CALL)
  await snapshots.cloneSnapshot('s', CLONE, OWN_CALL)
})

test('while the cleaner is off they stay, and are not restored all the same; it looks once it is on', async () => {
  const session = await withSnapshot()
  const { switches } = session.store.upkeep
  await switches!.turn('snapshotCleanup', false, OWN_CALL)
  session.time += HALF_HOUR
  await wake(session)
  expect(await names(session)).toEqual(['s'])
  await expectExpired(session)
  await switches!.turn('snapshotCleanup', true, OWN_CALL)
  await wake(session)
  expect(await names(session)).toEqual([])
})
