/** Store files that another program overwrites, moves or exchanges while the store has them open. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { NativeOptions } from '../../../../adapters/native/options/native-options.ts'
import { FileWatch, type FileWatchParts } from '../../../../adapters/native/region/file-watch.ts'
import type { Region } from '../../../../adapters/native/region/region.ts'
import { familyDescriptor, tableDescriptor } from '../../../../src/model/descriptor.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { checked, repaired, worst } from '../inspect/damaged-store.ts'
import { numbered, rest, StoreUnderTest, TABLE } from '../store-under-test.ts'

/** Of several blocks. */
const ROWS = numbered(8).map((name) => name.replace('r', 'a') + 'x'.repeat(400))
const ALL = [...ROWS, 'b'].map((row) => `${row}=v`)

/** A table with two store files of one region. Sessions with other times are copies of one folder that went their own ways. */
async function flushedTwice(
  time = 0,
  value = 'v',
  options: Partial<NativeOptions> = {},
): Promise<{ session: StoreUnderTest; paths: [string, string] }> {
  const session = await StoreUnderTest.open({ blockCacheBytes: 0, ...options })
  await session.createTable(tableDescriptor(TABLE, [familyDescriptor('f', [['BLOCKSIZE', '1024']])]))
  session.time += time
  for (const rows of [ROWS, ['b']]) {
    await session.put(rows, { value })
    await session.flush()
  }
  return { session, paths: session.paths('/s/data') as [string, string] }
}

async function look(session: StoreUnderTest): Promise<void> {
  session.wake()
  for (let turn = 0; turn < 20; turn++) await nextTurn()
}

async function compact({ store }: StoreUnderTest): Promise<void> {
  const { compactions } = store.upkeep
  await compactions!.compactTable(TABLE, { major: true }, OWN_CALL)
  while ((await compactions!.compactionState(TABLE, OWN_CALL)) !== 'NONE') await nextTurn()
}

const REFUSAL = { code: 'CORRUPTION', message: expect.stringMatching(/corrupt HFile .*found/) }
const errorsOf = ({ logged }: StoreUnderTest): string[] => logged.filter((line) => line.startsWith('error'))

/** Files that are sound, of the same size, region, family, rows and sequence ids, and not the store's. */
async function others(): Promise<[Buffer, Buffer]> {
  const { session, paths } = await flushedTwice(1, 'w')
  return [session.fileSystem.bytesOf(paths[0]), session.fileSystem.bytesOf(paths[1])]
}

it.each([
  ["another store's", async (): Promise<Buffer> => (await others())[0]],
  ["another of the region's", (_: Buffer, second: Buffer): Buffer => second],
  ['a part of it', (own: Buffer): Buffer => own.subarray(0, own.length >> 1)],
])('a file that %s is copied over serves no row of it, until it is as it was', async (_, other) => {
  const { session, paths } = await flushedTwice()
  const files = session.fileSystem
  const [own, second] = paths.map((path) => Buffer.from(files.bytesOf(path))) as [Buffer, Buffer]
  const scanner = await session.scanner()
  files.overwrite(paths[0], await other(own, second))
  await look(session)
  await expect(session.rows()).rejects.toMatchObject({ code: 'CORRUPTION' })
  await expect(rest(scanner)).rejects.toMatchObject({ code: 'CORRUPTION' })
  expect(await session.store.damage()).toMatchObject([{ table: 't', path: paths[0] }])
  expect(errorsOf(session)).toEqual([expect.stringContaining(paths[0])])
  await session.put(['c'])
  await session.flush()
  await look(session)
  expect(errorsOf(session)).toHaveLength(1)
  files.overwrite(paths[0], own)
  await look(session)
  expect(await session.rows()).toEqual([...ALL, 'c=v'])
  expect(await session.store.damage()).toEqual([])
  await scanner.close()
  await session.store.close()
})

it('another file with the name of one is not served by the next start, a check names it, and a repair takes none of it', async () => {
  const { session, paths } = await flushedTwice()
  for (const other of [session.fileSystem.bytesOf(paths[1]), (await others())[0]]) {
    const files = session.fileSystem.killed()
    files.replace(paths[0], other)
    expect(worst(checked(files))).toContainEqual(
      expect.objectContaining({ path: paths[0], message: expect.stringContaining('it is the file') }),
    )
    const next = await StoreUnderTest.open({}, files)
    await expect(next.rows()).rejects.toMatchObject(REFUSAL)
    expect(await next.store.damage()).toMatchObject([{ path: paths[0] }])
    const folder = files.killed()
    const said = await repaired(folder)
    expect(said).toContainEqual(expect.stringContaining('LOST: another store file is in the place'))
    expect(await (await StoreUnderTest.open({}, folder)).rows()).toEqual(['b=v'])
  }
})

it('a compaction takes no cells of a file that was overwritten just before it', async () => {
  const { session, paths } = await flushedTwice()
  session.fileSystem.overwrite(paths[0], (await others())[0])
  await compact(session)
  expect(session.paths('/s/data')).toEqual(paths)
  await expect(session.rows()).rejects.toMatchObject(REFUSAL)
  expect(await session.store.damage()).toMatchObject([{ path: paths[0] }])
})

it('a compaction beside which a file is overwritten changes nothing', async () => {
  const { session, paths } = await flushedTwice()
  const files = session.fileSystem
  const [other] = await others()
  let reads = 0
  files.failReading = (path) => {
    // Info, index and trailer are read before the cells.
    if (path === paths[0] && ++reads === 12) files.overwrite(path, other)
    return false
  }
  await compact(session)
  expect(reads).toBeGreaterThanOrEqual(12)
  expect(session.paths('/s/data')).toEqual(paths)
  files.failReading = () => false
  await look(session)
  await expect(session.rows()).rejects.toMatchObject(REFUSAL)
})

it('a file that is moved away is reported with what to do, read on though descriptors are short, and missed no more once it is back', async () => {
  const { session, paths } = await flushedTwice(0, 'v', { openFilesMax: 1 })
  const files = session.fileSystem
  expect(await session.rows({ startRow: Buffer.from('b') })).toEqual(['b=v'])
  files.rename(paths[1], '/elsewhere')
  await look(session)
  await look(session)
  expect(errorsOf(session)).toEqual([
    expect.stringMatching(`store file ${paths[1]} is missing; .* put the file back, or copy the rows`),
  ])
  expect(await session.store.damage()).toMatchObject([{ path: paths[1] }])
  for (let round = 0; round < 3; round++) expect(await session.rows()).toEqual(ALL)
  files.rename('/elsewhere', paths[1])
  expect(await session.store.damage()).toEqual([])
  await look(session)
  await compact(session)
  expect(await session.rows()).toEqual(ALL)
  expect(session.paths('/s/data')).toHaveLength(1)
})

it('a file with the name of one that is open is reported, and the open one is read on', async () => {
  const { session, paths } = await flushedTwice()
  const files = session.fileSystem
  const own = Buffer.from(files.bytesOf(paths[0]))
  files.replace(paths[0], files.bytesOf(paths[1]))
  await look(session)
  expect(await session.store.damage()).toMatchObject([
    { path: paths[0], reason: expect.stringContaining('open descriptor') },
  ])
  expect(await session.rows()).toEqual(ALL)
  files.replace(paths[0], own)
  expect(await session.store.damage()).toEqual([])
})

it('a look comes to some of the files, and the next one goes on behind them', async () => {
  let looked = 0
  const shared = {
    get run(): object {
      looked++
      return {}
    },
  }
  const region = { stores: [{ files: Array.from({ length: 2500 }, () => shared) }] } as unknown as Region
  const watch = new FileWatch({} as FileWatchParts)
  const regions = new Map([[1, region]])
  for (const total of [1024, 2048, 2500, 3524]) {
    await watch.look(regions)
    expect(looked).toBe(total)
  }
})

it.each([
  ['a compaction', (session: StoreUnderTest): Promise<unknown> => compact(session)],
  [
    'a deletion of the table',
    async ({ store }: StoreUnderTest): Promise<void> => {
      await store.catalog.disableTable(TABLE, OWN_CALL)
      await store.catalog.deleteTable(TABLE, OWN_CALL)
    },
  ],
])('files that %s removes between two steps of a look are not missed', async (_, remove) => {
  const session = await StoreUnderTest.open()
  const configuration = [
    ['hbase.hstore.compaction.min', '1000'],
    ['hbase.hstore.blockingStoreFiles', '1000'],
  ] as const
  await session.createTable(tableDescriptor(TABLE, [familyDescriptor('f')], configuration))
  // More than a look comes to in one turn of the event loop.
  for (const row of numbered(70)) {
    await session.put([row])
    await session.flush()
  }
  expect(session.paths('/s/data')).toHaveLength(70)
  session.wake()
  await remove(session)
  await look(session)
  expect(errorsOf(session)).toEqual([])
  expect(await session.store.damage()).toEqual([])
})
