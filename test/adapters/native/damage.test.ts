/** What a start does with a directory that something else than a crash has changed. */

import { describe, expect, it } from 'vitest'
import { OWN_CALL } from '../../../src/store/call.ts'
import { CrashableFileSystem } from '../../harness/simulation/crashable-file-system.ts'
import { StoreUnderTest, TABLE, tableOf } from './store-under-test.ts'

/** The files of a store with a table, one row in a store file and one in the log. */
async function twoRows(): Promise<CrashableFileSystem> {
  const session = await StoreUnderTest.open()
  await session.createTable(tableOf('f'))
  await session.put(['flushed'])
  await session.flush()
  await session.put(['logged'])
  return session.fileSystem.killed()
}

function filesUnder(fileSystem: CrashableFileSystem, directory: string): string[] {
  return fileSystem.paths().filter((path) => path.startsWith(`${directory}/`))
}

describe('a store without a manifest', () => {
  it.each([
    ['missing', (files: CrashableFileSystem): void => files.remove('/s/manifest.copy')],
    [
      'empty',
      (files: CrashableFileSystem): void => files.replace('/s/manifest.copy', Buffer.from('TIDEMAN1')),
    ],
  ])('is refused beside data where both files are %s, and stays as it is', async (_, damageCopy) => {
    const files = await twoRows()
    files.remove('/s/manifest')
    damageCopy(files)
    const before = files.paths()
    await expect(StoreUnderTest.open({}, files)).rejects.toMatchObject({
      code: 'CORRUPTION',
      message: expect.stringContaining('/s/manifest'),
    })
    expect(files.paths()).toEqual(before)
  })

  it('is refused beside snapshots alone, which are left as they are', async () => {
    const session = await StoreUnderTest.open()
    await session.createTable(tableOf('f'))
    await session.put(['kept'])
    await session.store.upkeep.snapshots!.createSnapshot('before', TABLE, 'FLUSH', OWN_CALL)
    const files = session.fileSystem.killed()
    for (const path of ['data', 'wal', 'manifest', 'manifest.copy']) files.remove(`/s/${path}`)
    const before = files.paths()
    expect(before).not.toEqual([])
    await expect(StoreUnderTest.open({}, files)).rejects.toMatchObject({ code: 'CORRUPTION' })
    expect(files.paths()).toEqual(before)
  })

  it('is read from the copy, and says so', async () => {
    const files = await twoRows()
    files.remove('/s/manifest')
    const again = await StoreUnderTest.open({}, files)
    expect(await again.rows()).toEqual(['flushed=v', 'logged=v'])
    expect(again.logged).toContainEqual(expect.stringContaining('error: /s/manifest is missing'))
  })
})

it('empty folders beside no manifest are no data', async () => {
  const files = new CrashableFileSystem()
  for (const name of ['data', 'wal', 'snapshots']) files.makeDirectory(`/s/${name}`)
  const session = await StoreUnderTest.open({}, files)
  await session.createTable(tableOf('f'))
  await session.store.close()
})

describe('files that the manifest does not name', () => {
  it('are set aside with their paths, never removed', async () => {
    const files = await twoRows()
    const [file] = filesUnder(files, '/s/data')
    const strange = [`${file!}9`, '/s/data/note.txt', '/s/data/default/u/r/f/0000000001']
    for (const path of strange) files.replace(path, Buffer.from(path))
    const again = await StoreUnderTest.open({}, files)
    expect(await again.rows()).toEqual(['flushed=v', 'logged=v'])
    expect(filesUnder(files, '/s/data')).toEqual([file])
    for (const path of strange) {
      expect(files.bytesOf(path.replace('/s/', '/s/lost+found/')).toString()).toBe(path)
    }
    expect(again.logged).toContainEqual(expect.stringContaining('warn: /s/data/note.txt was set aside'))
    files.replace(strange[0]!, Buffer.from('another'))
    await StoreUnderTest.open({}, again.fileSystem.killed()).then((third) => {
      expect(third.paths('/s/lost+found')).toContain(`${strange[0]!.replace('/s/', '/s/lost+found/')}.2`)
    })
  })

  it('stay beside the folders of the store, and are told', async () => {
    const files = await twoRows()
    for (const name of ['note.txt', 'manifest2']) files.replace(`/s/${name}`, Buffer.from(name))
    // The server's own.
    files.replace('/s/delegation-keys/key-1', Buffer.from('a key'))
    const again = await StoreUnderTest.open({}, files)
    for (const name of ['note.txt', 'manifest2']) {
      expect(files.bytesOf(`/s/${name}`).toString()).toBe(name)
      expect(again.logged).toContainEqual(expect.stringContaining(`warn: /s/${name} is no file of the store`))
    }
    expect(again.logged.filter((line) => line.startsWith('warn: /s/'))).toHaveLength(2)
  })

  it.each<[string, Buffer]>([
    ['junk', Buffer.from('junk')],
    ['the header of another log', Buffer.from('TIDEWAL1\0\0\0\0\0\0\0\x05')],
    ['zeros and a byte', Buffer.concat([Buffer.alloc(20), Buffer.from('x')])],
  ])('are set aside as logs of %s, too', async (_, bytes) => {
    const files = await twoRows()
    files.replace('/s/wal/0000000099.log', bytes)
    const again = await StoreUnderTest.open({}, files)
    expect(await again.rows()).toEqual(['flushed=v', 'logged=v'])
    expect(files.bytesOf('/s/lost+found/wal/0000000099.log')).toEqual(bytes)
    expect(again.paths('/s/wal')).not.toContain('/s/wal/0000000099.log')
  })

  it.each<[string, Buffer]>([
    ['nothing', Buffer.alloc(0)],
    ['half of its header', Buffer.from('TIDEWAL1')],
    ['zeros', Buffer.alloc(4096)],
  ])('go where they are logs with %s, as a crash leaves them', async (_, bytes) => {
    const files = await twoRows()
    files.replace('/s/wal/0000000099.log', bytes)
    const again = await StoreUnderTest.open({}, files)
    expect(again.paths('/s/lost+found')).toEqual([])
    expect(again.paths('/s/wal')).not.toContain('/s/wal/0000000099.log')
  })

  it('survive the table beside whose files they are', async () => {
    const session = await StoreUnderTest.open({}, await twoRows())
    const [file] = session.paths('/s/data')
    session.fileSystem.replace(`${file!}9`, Buffer.from('of somebody else'))
    await session.store.catalog.disableTable(TABLE, OWN_CALL)
    await session.store.catalog.deleteTable(TABLE, OWN_CALL)
    expect(session.paths('/s/data')).toEqual([`${file!}9`])
  })

  it('leave no directories behind where there are none', async () => {
    const session = await StoreUnderTest.open({}, await twoRows())
    await session.store.catalog.disableTable(TABLE, OWN_CALL)
    await session.store.catalog.deleteTable(TABLE, OWN_CALL)
    expect(session.fileSystem.list('/s/data/default')).toEqual([])
  })
})

describe('directories', () => {
  it('of the log and of store files survive a power loss', async () => {
    const session = await StoreUnderTest.open()
    await session.createTable(tableOf('f'))
    await session.put(['logged'], { durability: 'FSYNC_WAL' })
    const lost = await StoreUnderTest.open(
      {},
      session.fileSystem.powerLost(() => 0),
    )
    expect(await lost.rows()).toEqual(['logged=v'])
    await lost.flush()
    const again = await StoreUnderTest.open(
      {},
      lost.fileSystem.powerLost(() => 0),
    )
    expect(await again.rows()).toEqual(['logged=v'])
  })
})
