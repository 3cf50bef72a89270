/** Moments of a store that clients copy away: what is in them, and what becomes of their files. */

import { describe, expect, test } from 'vitest'
import { openNativeStore } from '../../../../adapters/native/open-native-store.ts'
import { BACKUP_READ_BYTES_MAX, type Backups, type KeptMoment } from '../../../../src/store/backups.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import type { Store } from '../../../../src/store/store.ts'
import { CrashableFileSystem } from '../../../harness/simulation/crashable-file-system.ts'
import { restoredFiles } from '../../../harness/simulation/sim-backups.ts'
import { numbered, StoreUnderTest, TABLE, tableOf } from '../store-under-test.ts'

const IDLE_MS = 5 * 60_000
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

function backupsOf({ store }: { readonly store: Store }): Backups {
  return store.upkeep.backups!
}

async function withRows(fileSystem?: CrashableFileSystem): Promise<StoreUnderTest> {
  const session = await StoreUnderTest.open({}, fileSystem, Math.random)
  await session.createTable(tableOf('f'), ['m'])
  await session.put(['a', 'z'])
  return session
}

async function restored({ store, time }: StoreUnderTest, kept: KeptMoment): Promise<StoreUnderTest> {
  const { fileSystem } = await restoredFiles(store.upkeep.backups!, kept, Math.random)
  const other = new StoreUnderTest(fileSystem)
  other.store = await openNativeStore({
    directory: '/s',
    fileSystem,
    clock: { now: () => time },
    random: Math.random,
  })
  return other
}

test('a moment has all rows of before it, those that skip the log among them, and none of after it', async () => {
  const session = await withRows()
  await session.put(['s'], { durability: 'SKIP_WAL' })
  const kept = await backupsOf(session).beginBackup(OWN_CALL)
  await session.put(['later'])
  await session.store.catalog.disableTable(TABLE, OWN_CALL)
  await session.store.catalog.deleteTable(TABLE, OWN_CALL)
  const copy = await restored(session, kept)
  expect(await copy.rows()).toEqual(['a=v', 's=v', 'z=v'])
  expect(await copy.store.clusterId()).not.toBe(await session.store.clusterId())
})

test('rows that come while a moment begins are in it whole, or not', async () => {
  for (let turns = 0; turns < 20; turns++) {
    const session = await withRows()
    const begun = backupsOf(session).beginBackup(OWN_CALL)
    for (let i = 0; i < turns; i++) await turn()
    await session.put(numbered(10))
    const copy = await restored(session, await begun)
    expect([2, 12]).toContain((await copy.rows()).length)
  }
})

test('no file of a moment goes before it has a link, though its table is emptied meanwhile', async () => {
  const rows = numbered(300)
  const session = await StoreUnderTest.open({}, undefined, Math.random)
  const { fileSystem, store } = session
  await session.createTable(tableOf('f'), rows.slice(1))
  await session.put(rows)
  await store.catalog.disableTable(TABLE, OWN_CALL)
  const link = fileSystem.link.bind(fileSystem)
  let emptied: Promise<void> | undefined
  let links = 0
  fileSystem.link = (from, to) => {
    if (to.startsWith('/s/backups/') && ++links === 2)
      emptied = store.catalog.truncateTable(TABLE, true, OWN_CALL)
    return link(from, to)
  }
  const kept = await backupsOf(session).beginBackup(OWN_CALL)
  await emptied
  const { moment } = await restoredFiles(backupsOf(session), kept, Math.random)
  expect(moment.missing).toEqual([])
  const copy = await restored(session, kept)
  await copy.store.catalog.enableTable(TABLE, OWN_CALL)
  expect(await copy.rows()).toHaveLength(rows.length)
})

describe('the folder of a moment', () => {
  test('goes with its end, with the store, with the next start, and after five minutes without a question', async () => {
    const session = await withRows()
    const backups = backupsOf(session)
    const { id } = await backups.beginBackup(OWN_CALL)
    expect(session.paths('/s/backups/').length).toBeGreaterThan(2)
    await backups.endBackup(id, false, OWN_CALL)
    expect(session.paths('/s/backups/')).toEqual([])

    const idle = await backups.beginBackup(OWN_CALL)
    session.time += IDLE_MS - 1
    session.wake()
    await backups.readBackup(idle.id, 'list', 0, 10, OWN_CALL)
    session.time += IDLE_MS - 1
    session.wake()
    await turn()
    expect(session.paths('/s/backups/')).not.toEqual([])
    session.time += 1
    session.wake()
    await turn()
    expect(session.paths('/s/backups/')).toEqual([])
    await expect(backups.readBackup(idle.id, 'list', 0, 10, OWN_CALL)).rejects.toMatchObject({
      code: 'DO_NOT_RETRY',
      message: expect.stringContaining('Run it again'),
    })

    await backups.beginBackup(OWN_CALL)
    const next = await session.killed()
    expect(next.paths('/s/backups/')).toEqual([])
    await backupsOf(next).beginBackup(OWN_CALL)
    await next.store.close()
    expect(next.paths('/s/backups/')).toEqual([])
  })

  test('keeps store files of a dropped table, and a disk without links has copies', async () => {
    const fileSystem = new CrashableFileSystem()
    fileSystem.hasLinks = false
    const session = await withRows(fileSystem)
    const kept = await backupsOf(session).beginBackup(OWN_CALL)
    await session.store.catalog.disableTable(TABLE, OWN_CALL)
    await session.store.catalog.deleteTable(TABLE, OWN_CALL)
    expect(session.paths('/s/data/')).toEqual([])
    expect(await (await restored(session, kept)).rows()).toEqual(['a=v', 'z=v'])
  })

  test('is named where a file of the store is missing: all others are in it', async () => {
    const session = await withRows()
    await session.flush()
    const [gone] = session.paths('/s/data/')
    session.fileSystem.remove(gone!)
    const kept = await backupsOf(session).beginBackup(OWN_CALL)
    const { moment } = await restoredFiles(backupsOf(session), kept, Math.random)
    expect(moment.missing).toEqual([gone!.slice('/s/'.length)])
    expect(moment.files.filter(({ table }) => table !== undefined)).toHaveLength(1)
  })

  test('is not left where the disk is full', async () => {
    const session = await withRows()
    await session.flush()
    session.fileSystem.failAppends({ after: 0, writtenBytes: 0 })
    await expect(backupsOf(session).beginBackup(OWN_CALL)).rejects.toMatchObject({ code: 'IO' })
    session.fileSystem.repair()
    expect(session.paths('/s/backups/')).toEqual([])
    await backupsOf(session).beginBackup(OWN_CALL)
  })
})

test('other files, and parts that no file has, are refused', async () => {
  const session = await withRows()
  const backups = backupsOf(session)
  const { id } = await backups.beginBackup(OWN_CALL)
  const refused = { code: 'ILLEGAL_ARGUMENT' }
  for (const file of ['..', '.', '', '../manifest', '/s/manifest', 'x', 'list\0', 'LIST', 'list/..'])
    await expect(backups.readBackup(id, file, 0, 10, OWN_CALL)).rejects.toMatchObject(refused)
  for (const [offset, length] of [
    [-1, 10],
    [0, 0],
    [0, -1],
    [0.5, 1],
    [Number.NaN, 1],
    [0, BACKUP_READ_BYTES_MAX + 1],
    [2 ** 60, 1],
  ] as const)
    await expect(backups.readBackup(id, 'list', offset, length, OWN_CALL)).rejects.toMatchObject(refused)
  expect(await backups.readBackup(id, 'list', 1_000_000, 10, OWN_CALL)).toHaveLength(0)
  await expect(backups.readBackup('another', 'list', 0, 10, OWN_CALL)).rejects.toMatchObject({
    code: 'DO_NOT_RETRY',
  })
  await backups.endBackup('another', false, OWN_CALL)
})

test('so many moments are kept at a time, and no more', async () => {
  const session = await withRows()
  const backups = backupsOf(session)
  const kept = await Promise.all(Array.from({ length: 16 }, () => backups.beginBackup(OWN_CALL)))
  await expect(backups.beginBackup(OWN_CALL)).rejects.toThrow('16 backups are under way')
  await backups.endBackup(kept[3]!.id, false, OWN_CALL)
  await backups.beginBackup(OWN_CALL)
})
