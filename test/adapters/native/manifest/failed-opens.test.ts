/** Store files that cannot be opened for a while: a change is made whole or not at all, and all heals without a start. */

import { describe, expect, it } from 'vitest'
import { parseTableName } from '../../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { CrashableFileSystem } from '../../../harness/simulation/crashable-file-system.ts'
import { StoreUnderTest, TABLE, tableOf } from '../store-under-test.ts'

const COPY = parseTableName('copy')

/** A disk whose files of tables cannot be opened while `code` is set. */
class FailingDisk extends CrashableFileSystem {
  code: string | undefined

  override open(path: string, mode: 'read' | 'append' | 'create'): ReturnType<CrashableFileSystem['open']> {
    if (this.code !== undefined && /^\/s\/data\/.*\/\d{10}$/.test(path))
      throw Object.assign(new Error(`${this.code}: open ${path}`), { code: this.code })
    return super.open(path, mode)
  }
}

async function withSnapshot(): Promise<{ session: StoreUnderTest; disk: FailingDisk }> {
  const disk = new FailingDisk()
  const session = await StoreUnderTest.open({}, disk)
  await session.createTable(tableOf('f'), ['m'])
  await session.put(['a', 'n'])
  await session.store.upkeep.snapshots!.createSnapshot('s', TABLE, 'FLUSH', OWN_CALL)
  await session.put(['b'])
  await session.flush()
  return { session, disk }
}

describe.each(['EMFILE', 'EIO'])('files that cannot be opened (%s)', (code) => {
  it('leave a table that a snapshot was to replace as it was', async () => {
    const { session, disk } = await withSnapshot()
    const { catalog, upkeep } = session.store
    await catalog.disableTable(TABLE, OWN_CALL)
    const files = session.paths('/s/data')
    disk.code = code
    const restore = (): Promise<void> => upkeep.snapshots!.restoreSnapshot('s', OWN_CALL)
    await expect(restore()).rejects.toMatchObject({ code: 'IO' })
    await expect(session.createTable(tableOf('f'))).rejects.toMatchObject({ code: 'TABLE_EXISTS' })
    disk.code = undefined
    expect(session.paths('/s/data')).toEqual(files)
    await catalog.enableTable(TABLE, OWN_CALL)
    expect(await session.rows()).toEqual(['a=v', 'b=v', 'n=v'])
    await catalog.disableTable(TABLE, OWN_CALL)
    await restore()
    await catalog.enableTable(TABLE, OWN_CALL)
    expect(await session.rows()).toEqual(['a=v', 'n=v'])
    expect(await (await session.killed()).rows()).toEqual(['a=v', 'n=v'])
  })

  it('leave no table of a clone, on disk or in memory', async () => {
    const { session, disk } = await withSnapshot()
    const { catalog, upkeep } = session.store
    const clone = (): Promise<void> => upkeep.snapshots!.cloneSnapshot('s', COPY, OWN_CALL)
    disk.code = code
    await expect(clone()).rejects.toMatchObject({ code: 'IO' })
    disk.code = undefined
    expect(await catalog.tableExists(COPY, OWN_CALL)).toBe(false)
    expect(session.paths('/s/data/default/copy')).toEqual([])
    await clone()
    expect(await session.rowsOf(COPY)).toEqual(['a=v', 'n=v'])
    expect(await (await session.killed()).rowsOf(COPY)).toEqual(['a=v', 'n=v'])
  })
})

it('a file that the disk did not give at the start is read once it gives it', async () => {
  const { session } = await withSnapshot()
  const disk = session.fileSystem.killed()
  disk.failOpening = (path) => /^\/s\/data\/.*\/\d{10}$/.test(path)
  const next = await StoreUnderTest.open({}, disk)
  await expect(next.rows()).rejects.toMatchObject({ code: 'IO' })
  expect((await next.store.damage()).length).toBeGreaterThan(0)
  next.wake()
  await new Promise(setImmediate)
  await expect(next.rows()).rejects.toMatchObject({ code: 'IO' })
  disk.failOpening = () => false
  next.wake()
  await new Promise(setImmediate)
  expect(await next.rows()).toEqual(['a=v', 'b=v', 'n=v'])
  expect(await next.store.damage()).toEqual([])
})
