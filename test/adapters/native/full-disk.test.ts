/** A disk that is full to its last byte: what is dropped makes room, and writes go on. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { type TableDescriptor, tableDescriptor } from '../../../src/model/descriptor.ts'
import { parseTableName } from '../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { CrashableFileSystem } from '../../harness/simulation/crashable-file-system.ts'
import { numbered, StoreUnderTest, TABLE, tableOf } from './store-under-test.ts'

const RESERVE = '/s/manifest.reserve'
const RESERVE_BYTES = 10_000
const OTHER: TableDescriptor = tableDescriptor(parseTableName('other'), tableOf('f').families)

/** Has so many bytes for all files together. */
class SmallDisk extends CrashableFileSystem {
  roomBytes = Number.POSITIVE_INFINITY
  fillsAfterEdits = false

  get usedBytes(): number {
    return this.paths().reduce((sum, path) => sum + super.open(path, 'read').size(), 0)
  }

  override readonly freeBytes = (): number => this.roomBytes - this.usedBytes

  fill(): void {
    this.roomBytes = this.usedBytes
  }

  override open(...asked: Parameters<CrashableFileSystem['open']>): ReturnType<CrashableFileSystem['open']> {
    const file = super.open(...asked)
    const append = file.append.bind(file)
    const checked = (buffers: readonly Buffer[]): void => {
      const bytes = buffers.reduce((sum, { length }) => sum + length, 0)
      if (bytes > 0 && this.usedBytes + bytes > this.roomBytes)
        throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
      append(buffers)
      if (this.fillsAfterEdits && asked[0].endsWith('manifest.copy')) this.fill()
    }
    return Object.assign(file, { append: checked })
  }
}

async function fullDisk(manifestReserveBytes = RESERVE_BYTES) {
  const disk = new SmallDisk()
  const session = await StoreUnderTest.open({ manifestReserveBytes }, disk)
  await session.createTable(tableOf('f'))
  await session.createTable(OTHER)
  await session.put(numbered(100), { value: 'x'.repeat(1000) })
  await session.flush()
  await session.store.upkeep.snapshots!.createSnapshot('s', TABLE, 'FLUSH', OWN_CALL)
  return { disk, session, catalog: session.store.catalog }
}

/** Room was made, and what is kept beside it for the next full disk is taken again. */
async function expectRoom({ disk, session }: Awaited<ReturnType<typeof fullDisk>>): Promise<void> {
  disk.roomBytes += RESERVE_BYTES
  session.time += 600_000
  session.wake()
  await expect.poll(() => disk.exists(RESERVE) && disk.open(RESERVE, 'read').size()).toBe(RESERVE_BYTES)
}

describe('on a full disk', () => {
  test('a table is disabled and dropped, and writes go on', async () => {
    const full = await fullDisk()
    const { disk, session, catalog } = full
    await session.store.upkeep.snapshots!.deleteSnapshot('s', OWN_CALL)
    disk.fill()
    await expect(session.put(['refused'])).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    await catalog.disableTable(TABLE, OWN_CALL)
    await catalog.deleteTable(TABLE, OWN_CALL)
    expect(disk.usedBytes).toBeLessThan(disk.roomBytes - 50_000)
    await catalog.createTable(tableOf('f'), [], OWN_CALL)
    await session.put(['a'])
    expect(await session.rows()).toEqual(['a=v'])
    await expectRoom(full)
    expect(await (await StoreUnderTest.open({}, disk.killed())).rows()).toEqual(['a=v'])
  })

  test.each([false, true])(
    'a table of four regions is dropped, and no log of it stays; others fill the disk: %s',
    async (fills) => {
      const disk = new SmallDisk()
      const wal = { logBytesMax: 20_000, syncEveryBytes: 1000 }
      const session = await StoreUnderTest.open({ manifestReserveBytes: 1024 * 1024, wal }, disk)
      const { catalog } = session.store
      await catalog.createTable(
        tableOf('f'),
        ['row025', 'row050', 'row075'].map((key) => Buffer.from(key)),
        OWN_CALL,
      )
      await catalog.createTable(OTHER, [], OWN_CALL)
      for (const row of numbered(100)) await session.put([row], { value: 'x'.repeat(2000) })
      const before = session.paths('/s/wal/').length
      expect(before).toBeGreaterThan(5)
      disk.fill()
      await catalog.disableTable(TABLE, OWN_CALL)
      if (fills) disk.fillsAfterEdits = true
      await catalog.deleteTable(TABLE, OWN_CALL)
      // The current one, and the one that was made to follow it.
      expect(session.paths('/s/wal/').length).toBeLessThanOrEqual(2)
      expect(session.logged).not.toContainEqual(expect.stringContaining('could not be removed'))
    },
  )

  test('a table is truncated', async () => {
    const { disk, session, catalog } = await fullDisk()
    await session.store.upkeep.snapshots!.deleteSnapshot('s', OWN_CALL)
    disk.fill()
    await catalog.disableTable(TABLE, OWN_CALL)
    await catalog.truncateTable(TABLE, false, OWN_CALL)
    await session.put(['a'])
    expect(await session.rows()).toEqual(['a=v'])
  })

  test('a snapshot is deleted', async () => {
    const { disk, session } = await fullDisk()
    disk.fill()
    await session.store.upkeep.snapshots!.deleteSnapshot('s', OWN_CALL)
    expect(await session.store.upkeep.snapshots!.listSnapshots(OWN_CALL)).toEqual([])
  })

  test('what frees nothing does not take the room that is kept for it', async () => {
    const { disk, session, catalog } = await fullDisk()
    disk.fill()
    const created = tableDescriptor(parseTableName('new'), tableOf('f').families)
    await expect(catalog.createTable(created, [], OWN_CALL)).rejects.toMatchObject({ code: 'IO' })
    await expect(session.put(['a'])).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    expect(disk.exists(RESERVE)).toBe(true)
  })

  test('a table is dropped though others fill what is given up, each time', async () => {
    const { disk, session, catalog } = await fullDisk(1024 * 1024)
    await session.store.upkeep.snapshots!.deleteSnapshot('s', OWN_CALL)
    disk.fill()
    await catalog.disableTable(OTHER.name, OWN_CALL)
    disk.fill()
    const kept = disk.open(RESERVE, 'read').size()
    await expect(catalog.enableTable(OTHER.name, OWN_CALL)).rejects.toMatchObject({ code: 'IO' })
    await expect(
      catalog.modifyTable(
        tableDescriptor(TABLE, tableOf('f').families, [['MAX_FILESIZE', '1000000000']]),
        OWN_CALL,
      ),
    ).rejects.toMatchObject({ code: 'IO' })
    expect(disk.open(RESERVE, 'read').size()).toBe(kept)
    await catalog.disableTable(TABLE, OWN_CALL)
    disk.fill()
    await catalog.deleteTable(TABLE, OWN_CALL)
    expect(disk.usedBytes).toBeLessThan(disk.roomBytes - 50_000)
  })

  test('refused writes begin no new log and leave the manifest as it is, and nothing of them comes back', async () => {
    const { disk, session } = await fullDisk()
    // Room for what the log probes, and not for a row.
    for (const roomBytes of [0, 5000]) {
      disk.roomBytes = disk.usedBytes + roomBytes
      const before = [session.paths('/s/wal/'), disk.open('/s/manifest', 'read').size()]
      for (let round = 0; round < 5; round++)
        await expect(session.put(['refused'], { value: 'y'.repeat(10_000) })).rejects.toMatchObject({
          code: 'UNAVAILABLE',
        })
      expect([session.paths('/s/wal/'), disk.open('/s/manifest', 'read').size()]).toEqual(before)
    }
    expect(await session.rows()).toHaveLength(100)
    disk.roomBytes += 100_000
    await session.put(['z'])
    const again = await StoreUnderTest.open({}, disk.killed())
    expect((await again.rows()).map((row) => row.slice(0, 1)).join('')).toBe(`${'r'.repeat(100)}z`)
  })

  test('the room is taken again only where the disk has it to spare, and after failures by fewer and fewer wakes', async () => {
    const { disk, session, catalog } = await fullDisk()
    disk.fill()
    await catalog.disableTable(TABLE, OWN_CALL)
    const wake = async (): Promise<void> => {
      session.wake()
      for (let turn = 0; turn < 20; turn++) await nextTurn()
    }
    disk.roomBytes = disk.usedBytes + 3 * RESERVE_BYTES
    await wake()
    expect(disk.exists(RESERVE)).toBe(false)
    let attempts = 0
    disk.failOpening = (path) => path === RESERVE && ++attempts > 0
    disk.roomBytes += 3 * RESERVE_BYTES
    for (let woken = 0; woken < 15; woken++) await wake()
    expect(attempts).toBe(4)
    disk.failOpening = () => false
    for (let woken = 0; woken < 16; woken++) await wake()
    expect(disk.open(RESERVE, 'read').size()).toBe(RESERVE_BYTES)
  })

  test('without the room a drop is refused, and nothing is lost', async () => {
    const { disk, session, catalog } = await fullDisk(0)
    disk.fill()
    await expect(catalog.disableTable(TABLE, OWN_CALL)).rejects.toMatchObject({ code: 'IO' })
    expect(await session.rows()).toHaveLength(100)
  })
})
