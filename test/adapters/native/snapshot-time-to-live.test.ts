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

test.each([
  ['before it has gone', false],
  ['once it has gone', true],
])('a snapshot whose time is over is neither cloned nor restored, %s', async (_, isListed) => {
  const session = await withSnapshot()
  const snapshots = session.store.upkeep.snapshots!
  session.time += 59_999
  await snapshots.cloneSnapshot('s', CLONE, OWN_CALL)
  await session.store.catalog.disableTable(TABLE, OWN_CALL)
  session.time++
  if (isListed) expect(await names(session)).toEqual([])
  await expect(snapshots.cloneSnapshot('s', parseTableName('late'), OWN_CALL)).rejects.toMatchObject(EXPIRED)
  await expect(snapshots.restoreSnapshot('s', OWN_CALL)).rejects.toMatchObject(EXPIRED)
  expect(await session.store.catalog.tableExists(parseTableName('late'), OWN_CALL)).toBe(false)
})

test('a new snapshot of the name has a time of its own', async () => {
  const session = await withSnapshot()
  const snapshots = session.store.upkeep.snapshots!
  session.time += 60_000
  expect(await names(session)).toEqual([])
  await snapshots.createSnapshot('s', TABLE, 'FLUSH', OWN_CALL)
  await snapshots.cloneSnapshot('s', CLONE, OWN_CALL)
})

test('while the cleaner is off they stay, and are not restored all the same', async () => {
  const session = await withSnapshot()
  await session.store.upkeep.switches!.turn('snapshotCleanup', false, OWN_CALL)
  session.time += 60_000
  expect(await names(session)).toEqual(['s'])
  await expect(session.store.upkeep.snapshots!.cloneSnapshot('s', CLONE, OWN_CALL)).rejects.toMatchObject(
    EXPIRED,
  )
  await session.store.upkeep.switches!.turn('snapshotCleanup', true, OWN_CALL)
  expect(await names(session)).toEqual([])
})
