/** A disk that keeps any part of what was not synced: nothing that was, and nothing out of order, is lost; no start is refused. */

import { describe, expect, it } from 'vitest'
import { OWN_CALL } from '../../../src/store/call.ts'
import type { CrashableFileSystem } from '../../harness/simulation/crashable-file-system.ts'
import { SimRandom } from '../../harness/simulation/sim-random.ts'
import { numbered, StoreUnderTest, tableOf } from './store-under-test.ts'

const LOSSES = 24
/** Nothing of what was not synced, all of it, and many parts of it. */
const CHANCES = [
  (): number => 0,
  (): number => 0.999,
  ...Array.from({ length: LOSSES }, (_, seed) => new SimRandom(seed).next),
]
const errorsOf = ({ logged }: StoreUnderTest): string[] => logged.filter((line) => line.startsWith('error'))

/** A store that was killed with rows that are on disk, and others that need not be. */
async function writtenStore(synced: number, rows: readonly string[]): Promise<CrashableFileSystem> {
  const session = await StoreUnderTest.open()
  session.fileSystem.blockBytes = 64
  await session.createTable(tableOf('f'))
  for (const [index, row] of rows.entries())
    await session.put([row], { durability: index < synced ? 'FSYNC_WAL' : 'SYNC_WAL' })
  return session.fileSystem.killed()
}

/** The disk before each sync of the file. */
function atSyncs(disk: CrashableFileSystem, file: string): CrashableFileSystem[] {
  const left: CrashableFileSystem[] = []
  disk.failSyncing = (path) => {
    if (path === file) left.push(disk.fork())
    return false
  }
  return left
}

describe('a power loss', () => {
  it('leaves all that was synced of the log, and of the rest a beginning, also where it comes again in the start', async () => {
    const rows = numbered(12)
    const files = await writtenStore(4, rows)
    const lengths = new Set<number>()
    for (const random of CHANCES) {
      const first = files.killed().powerLost(random)
      const dying = first.killed()
      void StoreUnderTest.open({}, dying).catch(() => undefined)
      for (let turns = 0; turns < 8; turns++) await Promise.resolve()
      const again = await StoreUnderTest.open({}, dying.powerLost(random))
      const kept = (await again.rows()).map((row) => row.split('=')[0]!)
      expect(kept).toEqual(rows.slice(0, kept.length))
      expect(kept.length).toBeGreaterThanOrEqual(4)
      expect(errorsOf(again).every((line) => line.includes('a crash or a power loss came'))).toBe(true)
      await again.put(['z'], { durability: 'FSYNC_WAL' })
      expect(await (await StoreUnderTest.open({}, again.fileSystem.powerLost(random))).rows()).toContain(
        'z=v',
      )
      lengths.add(kept.length)
    }
    expect(lengths.size).toBeGreaterThan(4)
  })

  it('never takes the records of a log whose sync has failed, and leaves later ones', async () => {
    const session = await StoreUnderTest.open()
    const { fileSystem } = session
    fileSystem.blockBytes = 64
    await session.createTable(tableOf('f'))
    const rows = numbered(6)
    for (const row of rows.slice(0, 4)) await session.put([row])
    fileSystem.failSyncing = (path) => path.endsWith('.log')
    await expect(session.put(['refused'], { durability: 'FSYNC_WAL' })).rejects.toThrow('EIO')
    fileSystem.failSyncing = (path) => path.endsWith('0000000001.log') || path.startsWith('/s/data/')
    await session.store.outage()
    for (const row of rows.slice(4)) await session.put([row], { durability: 'FSYNC_WAL' })
    for (const random of CHANCES) {
      const again = await StoreUnderTest.open({}, fileSystem.killed().powerLost(random))
      expect(await again.rows()).toEqual(expect.arrayContaining(rows.map((row) => `${row}=v`)))
    }
  })

  it('leaves nothing to report where it comes in the start after a kill in an edit', async () => {
    const { fileSystem, store } = await StoreUnderTest.open()
    fileSystem.blockBytes = 16
    const killed = atSyncs(fileSystem, '/s/manifest.copy')
    await store.catalog.createNamespace({ name: 'n'.repeat(50), properties: new Map() }, OWN_CALL)
    const stopped = atSyncs(killed[0]!, '/s/manifest')
    await StoreUnderTest.open({}, killed[0])
    for (const left of stopped) {
      for (const random of CHANCES) {
        const again = await StoreUnderTest.open({}, left.fork().powerLost(random))
        expect(again.logged.filter((line) => !line.startsWith('info'))).toEqual([])
      }
    }
  })

  it('leaves the manifest as before an edit or after it, and nothing to report', async () => {
    const name = 'n'.repeat(100)
    for (let steps = 0; steps < 12; steps++) {
      for (const random of CHANCES.slice(0, 8)) {
        const { fileSystem, store } = await StoreUnderTest.open()
        fileSystem.blockBytes = 16
        let isAnswered = false
        const made = store.catalog
          .createNamespace({ name, properties: new Map() }, OWN_CALL)
          .then(() => (isAnswered = true))
          .catch(() => undefined)
        for (let step = 0; step < steps; step++) await Promise.resolve()
        const wasAnswered = isAnswered
        const again = await StoreUnderTest.open({}, fileSystem.powerLost(random))
        const namespaces = await again.store.catalog.listNamespaces(OWN_CALL)
        if (wasAnswered) expect(namespaces.map((known) => known.name)).toContain(name)
        expect(again.logged.filter((line) => !line.startsWith('info'))).toEqual([])
        expect(again.paths('/s/lost+found')).toEqual([])
        await made
      }
    }
  })
})
