import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { StoreUnderTest, TABLE, tableOf } from '../store-under-test.ts'

async function twoFiles(): Promise<StoreUnderTest> {
  const session = await StoreUnderTest.open()
  await session.createTable(tableOf('f'))
  for (const row of ['a', 'b']) {
    await session.put([row])
    await session.flush()
  }
  return session
}

async function compact({ store }: StoreUnderTest): Promise<void> {
  const { compactions } = store.upkeep
  await compactions!.compactTable(TABLE, { major: true }, OWN_CALL)
  while ((await compactions!.compactionState(TABLE, OWN_CALL)) !== 'NONE') await nextTurn()
}

describe('files that a crash leaves', () => {
  it('after a compaction has replaced them are removed by the next start', async () => {
    const session = await twoFiles()
    const old = session.paths('/s/data')
    session.fileSystem.remove = (): void => undefined
    await compact(session)
    expect(session.paths('/s/data')).toEqual(expect.arrayContaining(old))
    const reopened = await session.killed()
    expect(reopened.paths('/s/data')).toHaveLength(1)
    expect(reopened.paths('/s/lost+found')).toEqual([])
    expect(await reopened.rows()).toEqual(['a=v', 'b=v'])
  })

  it('are removed though the manifest has been written anew since', async () => {
    const session = await twoFiles()
    session.fileSystem.remove = (): void => undefined
    await compact(session)
    const files = session.fileSystem.killed()
    // A damaged copy makes the next start write both anew, and the kill after that comes before the removals.
    files.replace('/s/manifest.copy', Buffer.from('damaged'))
    const remove = files.remove.bind(files)
    files.remove = (path): void => (path.startsWith('/s/data') ? undefined : remove(path))
    const second = await StoreUnderTest.open({}, files)
    // The two old files, the new one, and the name that it had before.
    expect(second.paths('/s/data')).toHaveLength(4)
    const third = await second.killed()
    expect(third.paths('/s/data')).toHaveLength(1)
    expect(third.paths('/s/lost+found').filter((path) => path.includes('/data/'))).toEqual([])
  })

  it('of a table that was dropped are removed', async () => {
    const session = await twoFiles()
    const { fileSystem, store } = session
    fileSystem.remove = (): void => undefined
    await store.catalog.disableTable(TABLE, OWN_CALL)
    await store.catalog.deleteTable(TABLE, OWN_CALL)
    expect(session.paths('/s/data')).toHaveLength(2)
    const reopened = await session.killed()
    expect(reopened.paths('/s/data')).toEqual([])
    expect(reopened.paths('/s/lost+found')).toEqual([])
  })

  it('amid a file are removed, and what has another name is set aside', async () => {
    const session = await twoFiles()
    const [file] = session.paths('/s/data')
    const folder = file!.slice(0, file!.lastIndexOf('/'))
    const files = session.fileSystem.killed()
    for (const name of ['0000000077.unfinished', '0000000078', 'mine.unfinished'])
      files.replace(`${folder}/${name}`, Buffer.from(name))
    const reopened = await StoreUnderTest.open({}, files)
    expect(reopened.paths('/s/data')).toHaveLength(2)
    const aside = reopened.paths('/s/lost+found').map((path) => path.slice(path.lastIndexOf('/') + 1))
    expect(aside).toEqual(['0000000078', 'mine.unfinished'])
  })
})
