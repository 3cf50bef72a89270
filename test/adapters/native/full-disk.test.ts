/** A disk that is full to its last byte: what is dropped makes room, and writes go on. */

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

  get usedBytes(): number {
    return this.paths().reduce((sum, path) => sum + super.open(path, 'read').size(), 0)
  }

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

  test('without the room a drop is refused, and nothing is lost', async () => {
    const { disk, session, catalog } = await fullDisk(0)
    disk.fill()
    await expect(catalog.disableTable(TABLE, OWN_CALL)).rejects.toMatchObject({ code: 'IO' })
    expect(await session.rows()).toHaveLength(100)
  })
})
