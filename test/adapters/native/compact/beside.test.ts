import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { DEFAULT_COMPACTION_OPTIONS } from '../../../../adapters/native/options/compaction-options.ts'
import { MutationBatch } from '../../../../src/model/mutation.ts'
import { ALL_VERSIONS } from '../../../../src/model/query.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { SlowFileSystem } from '../slow-file-system.ts'
import { StoreUnderTest, TABLE, tableOf } from '../store-under-test.ts'

async function flush(session: StoreUnderTest, family: string, ...rows: string[]): Promise<void> {
  session.time++
  await session.put(rows, { value: rows.join(''), family })
  const [region] = await session.store.catalog.regions(TABLE, OWN_CALL)
  await session.store.upkeep.flushes!.flushRegion(region!.name, undefined, OWN_CALL)
}

async function metric({ store }: StoreUnderTest, name: string): Promise<number> {
  const readings = await store.metrics()
  return readings.find((reading) => reading.name === `tidegate_native_${name}`)!.samples[0]!.value
}

async function until(session: StoreUnderTest, name: string, value: number): Promise<void> {
  while ((await metric(session, name)) !== value) await nextTurn()
}

/** Three files whose compaction, of all files of the store, is under way until `release`. */
async function underWay(): Promise<{ session: StoreUnderTest; release: () => void }> {
  const disk = new SlowFileSystem(4)
  const session = await StoreUnderTest.open({}, disk)
  await session.createTable(tableOf('f'))
  for (const row of ['a', 'b', 'c']) await flush(session, 'f', row, 'z')
  await until(session, 'running_compactions', 1)
  return { session, release: () => disk.release() }
}

const EXPECTED = ['a=az', 'c=cz', 'd=dz', 'e=ez', 'f=fz', 'z=fz']

describe('newer files of a store whose compaction is under way', () => {
  it('are compacted beside it, and keep their tombstones', async () => {
    const { session, release } = await underWay()
    session.time++
    const deletion = new MutationBatch().deleteFamily(Buffer.from('b'), Buffer.from('f'))
    deletion.endMutation()
    await session.store.rows.mutate(TABLE, deletion, OWN_CALL)
    for (const row of ['d', 'e']) await flush(session, 'f', row, 'z')
    expect(await metric(session, 'running_compactions')).toBe(1)
    await flush(session, 'f', 'f', 'z')
    await until(session, 'compactions_total', 1)
    expect(await metric(session, 'running_compactions')).toBe(1)
    expect(await metric(session, 'store_files')).toBe(4)
    expect(await metric(session, 'major_compactions_total')).toBe(0)
    expect(await session.rows()).toEqual(EXPECTED)
    release()
    await until(session, 'compactions_total', 2)
    await until(session, 'running_compactions', 0)
    expect(await metric(session, 'store_files')).toBe(2)
    expect(await session.rows()).toEqual(EXPECTED)
    const reopened = await session.killed()
    expect(await reopened.rows()).toEqual(EXPECTED)
    expect(await reopened.rows({ raw: true, maxVersions: ALL_VERSIONS })).toContain('b=bz')
  })

  it('wait for it where a client asks for a compaction of all files', async () => {
    const { session, release } = await underWay()
    await flush(session, 'f', 'd')
    await session.store.upkeep.compactions!.compactTable(TABLE, { major: true }, OWN_CALL)
    for (const row of ['e', 'f']) await flush(session, 'f', row)
    release()
    while ((await session.store.upkeep.compactions!.compactionState(TABLE, OWN_CALL)) !== 'NONE')
      await nextTurn()
    expect(await metric(session, 'store_files')).toBe(1)
    expect(await metric(session, 'major_compactions_total')).toBe(2)
  })

  it('are dropped with it where the store ends', async () => {
    const { session, release } = await underWay()
    for (const row of ['d', 'e', 'f']) await flush(session, 'f', row)
    const closed = session.store.close()
    release()
    await closed
    const reopened = await session.killed()
    expect(await reopened.rows()).toEqual(['a=az', 'b=bz', 'c=cz', 'd=d', 'e=e', 'f=f', 'z=cz'])
  })
})

describe('a store with half as many files as its flushes wait for', () => {
  it.each([
    [4, 3],
    [6, 2],
  ])('is compacted beside two others where %i files are too many', async (blockingFiles, running) => {
    const disk = new SlowFileSystem(4, 8, 12)
    const compaction = { ...DEFAULT_COMPACTION_OPTIONS, blockingFiles }
    const session = await StoreUnderTest.open({ compaction }, disk)
    await session.createTable(tableOf('f', 'g', 'h'))
    for (const family of ['f', 'g', 'h']) for (const row of ['a', 'b', 'c']) await flush(session, family, row)
    await until(session, 'running_compactions', running)
    for (let turn = 0; turn < 10; turn++) await nextTurn()
    expect(await metric(session, 'running_compactions')).toBe(running)
    disk.release()
    await until(session, 'compactions_total', 3)
    expect(await metric(session, 'store_files')).toBe(3)
    await session.store.close()
  })
})
