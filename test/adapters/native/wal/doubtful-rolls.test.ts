/** A log whose sync has failed, and whose next file may be in the manifest or not: its unsynced records are in either case found once. */

import { describe, expect, it } from 'vitest'
import { CrashableFileSystem } from '../../../harness/simulation/crashable-file-system.ts'
import { failSyncs } from '../../../harness/simulation/failing-syncs.ts'
import { StoreUnderTest, tableOf } from '../store-under-test.ts'

const WRITTEN = ['a', 'b', 'c', 'unsure']
/** What a crash leaves: all that the system has, or only what was synced, or that and all the rest. */
const CRASHES: Readonly<Record<string, (disk: CrashableFileSystem) => CrashableFileSystem>> = {
  killed: (disk) => disk.killed(),
  'only what was synced': (disk) => disk.powerLost(() => 0),
  'all bytes': (disk) => disk.powerLost(() => 0.9999),
}
const CASES = ['/s/manifest', '/s/manifest.copy'].flatMap((file) =>
  Object.keys(CRASHES).map((end) => [file, end] as const),
)

interface Doubt {
  readonly session: StoreUnderTest
  /** Lets the disk work again, but for the first log. */
  readonly repair: () => void
}

const isNever = (): boolean => false
const isFirstLog = (path: string): boolean => path.endsWith('/0000000001.log')

/** Rows whose log cannot be synced any more, and an attempt to go on in another file, which leaves the manifest in doubt. */
async function doubtfulRoll(file: string): Promise<Doubt> {
  const fileSystem = new CrashableFileSystem()
  let fails: (path: string) => boolean = isNever
  failSyncs(fileSystem, (path) => fails(path))
  const session = await StoreUnderTest.open({}, fileSystem)
  await session.createTable(tableOf('f'))
  await session.put(WRITTEN)
  fails = (path) => isFirstLog(path) || path === file || path.endsWith('.new')
  // It is in the log, and may be found.
  await expect(session.put(['unsure'], { durability: 'FSYNC_WAL' })).rejects.toThrow('EIO')
  expect(await session.store.outage()).toContain('EIO')
  await expect(session.put(['refused'])).rejects.toThrow('is in doubt')
  return { session, repair: () => (fails = isFirstLog) }
}

async function checkHas(session: StoreUnderTest, rows: readonly string[]): Promise<void> {
  expect(await session.rows()).toEqual(rows.map((row) => `${row}=v`))
  expect(session.logged.filter((line) => line.startsWith('error'))).toEqual([])
  expect(session.paths('/s/lost+found')).toEqual([])
  expect(await session.store.troubles()).toEqual([])
}

describe('a manifest in doubt about the next log, which has a copy of records that are not on disk', () => {
  it.each(CASES)('%s, %s: loses none of them', async (file, end) => {
    const { session } = await doubtfulRoll(file)
    const next = await StoreUnderTest.open({}, CRASHES[end]!(session.fileSystem))
    const kept = (await next.rows()).map((row) => row.split('=')[0])
    // A power loss may take what no sync has covered.
    if (end !== 'only what was synced') expect(kept).toEqual(WRITTEN)
    await checkHas(next, kept as string[])
  })

  it.each(CASES)(
    '%s, %s: goes on once the disk works again, and leaves no file of the attempts',
    async (file, end) => {
      const { session, repair } = await doubtfulRoll(file)
      for (let attempt = 0; attempt < 20; attempt++) await expect(session.put(['refused'])).rejects.toThrow()
      expect(session.paths('/s/wal').length).toBeLessThanOrEqual(2)
      repair()
      await session.put(['x'], { durability: 'FSYNC_WAL' })
      expect(session.paths('/s/wal').length).toBeLessThanOrEqual(2)
      const next = await StoreUnderTest.open({}, CRASHES[end]!(session.fileSystem))
      await checkHas(next, [...WRITTEN, 'x'])
      await next.put(['y'], { durability: 'FSYNC_WAL' })
      await checkHas(await StoreUnderTest.open({}, CRASHES[end]!(next.fileSystem)), [...WRITTEN, 'x', 'y'])
    },
  )
})
