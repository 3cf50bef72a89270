import { expect, test } from 'vitest'
import type { Backups } from '../../../../src/store/backups.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { StoreUnderTest, tableOf } from '../store-under-test.ts'

const PATH = '/s/last-backup'

async function lastBackup({ store }: StoreUnderTest): Promise<number> {
  const readings = await store.metrics()
  return readings.find(({ name }) => name === 'tidegate_native_last_backup_seconds')!.samples[0]!.value * 1000
}

function backupsOf({ store }: StoreUnderTest): Backups {
  return store.upkeep.backups!
}

async function backUp(session: StoreUnderTest, isMade: boolean): Promise<number> {
  const { id } = await backupsOf(session).beginBackup(OWN_CALL)
  const at = session.time
  session.time += 5000
  await backupsOf(session).endBackup(id, isMade, OWN_CALL)
  return at
}

test('a backup that its client has made counts from its moment on, after a kill too; others do not count', async () => {
  const session = await StoreUnderTest.open()
  await session.createTable(tableOf('f'))
  expect(await lastBackup(session)).toBe(0)
  await backUp(session, false)
  expect(await lastBackup(session)).toBe(0)
  const at = await backUp(session, true)
  expect(await lastBackup(session)).toBe(at)
  const next = await session.killed()
  expect(await lastBackup(next)).toBe(at)
  expect(next.logged.filter((line) => line.includes('last-backup'))).toEqual([])
  await next.store.close()
})

test('a backup whose moment is older than that of another one does not make the age greater', async () => {
  const session = await StoreUnderTest.open()
  const older = await backupsOf(session).beginBackup(OWN_CALL)
  session.time += 1000
  const newer = await backUp(session, true)
  await backupsOf(session).endBackup(older.id, true, OWN_CALL)
  expect(await lastBackup(session)).toBe(newer)
})

test.each(['', 'abc\n', '12345678901234567890\n', '17000000'])(
  'a file %j that is no time is as none, and the next backup replaces it',
  async (text) => {
    const session = await StoreUnderTest.open()
    await session.store.close()
    session.fileSystem.open(PATH, 'append').append([Buffer.from(text)])
    const next = await StoreUnderTest.open({}, session.fileSystem)
    expect(await lastBackup(next)).toBe(0)
    const at = await backUp(next, true)
    expect(await lastBackup(await next.killed())).toBe(at)
  },
)

test('a disk that takes no file costs a line of the log, and no backup', async () => {
  const session = await StoreUnderTest.open()
  const open = session.fileSystem.open.bind(session.fileSystem)
  session.fileSystem.open = (path, mode) => {
    if (path.startsWith(PATH) && mode === 'create') throw new Error('ENOSPC')
    return open(path, mode)
  }
  const at = await backUp(session, true)
  expect(await lastBackup(session)).toBe(at)
  expect(session.logged.filter((line) => line.startsWith('warn'))).toEqual([
    'warn: the time of the last backup could not be written to /s/last-backup',
  ])
})
