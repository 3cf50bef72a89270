import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { SlowFileSystem } from '../slow-file-system.ts'
import { StoreUnderTest, TABLE, tableOf } from '../store-under-test.ts'

/** Of which 1 MiB is a little. */
const OPTIONS = { flushBytes: 8 * 1024 * 1024 }
const MUCH = 'v'.repeat(1536 * 1024)

/** Waits until the flush of a file is under way. */
async function made(disk: SlowFileSystem, files: number): Promise<void> {
  while (disk.made < files) await nextTurn()
}

test('writes wait in a split for the flush of little, not for that of what was written during the first flush', async () => {
  const disk = new SlowFileSystem(1, 2, 3)
  const session = await StoreUnderTest.open(OPTIONS, disk)
  await session.createTable(tableOf('f'))
  await session.put(['a', 'z'], { value: MUCH })
  const split = session.store.upkeep.regions!.splitTable(TABLE, Buffer.from('m'), OWN_CALL)
  await made(disk, 1)
  await session.put(['b'], { value: MUCH })
  disk.releaseOnly(1)
  await made(disk, 2)
  await session.put(['c'])
  disk.releaseOnly(2)
  await made(disk, 3)
  let isDone = false
  const late = session.put(['d']).then(() => {
    isDone = true
  })
  for (let turn = 0; turn < 10; turn++) await nextTurn()
  expect(isDone).toBe(false)
  disk.releaseOnly(3)
  await Promise.all([split, late])
  expect(await session.store.catalog.regions(TABLE, OWN_CALL)).toHaveLength(2)
  const rows = (await session.rows()).map((row) => row.slice(0, 1))
  expect(rows).toEqual(['a', 'b', 'c', 'd', 'z'])
  await session.store.close()
})

test('a split comes to an end beside writes that are as fast as its flushes', async () => {
  const disk = new SlowFileSystem(1, 2, 3, 4, 5)
  const session = await StoreUnderTest.open(OPTIONS, disk)
  await session.createTable(tableOf('f'))
  await session.put(['a', 'z'], { value: MUCH })
  const split = session.store.upkeep.regions!.splitTable(TABLE, Buffer.from('m'), OWN_CALL)
  for (let flush = 1; flush <= 4; flush++) {
    await made(disk, flush)
    await session.put([`b${flush}`], { value: MUCH })
    disk.releaseOnly(flush)
  }
  await made(disk, 5)
  disk.releaseOnly(5)
  await split
  expect(await session.store.catalog.regions(TABLE, OWN_CALL)).toHaveLength(2)
  expect(await session.rows()).toHaveLength(6)
  await session.store.close()
})
