/** HFiles taken into regions that are served. */

import { readFileSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import { localPath } from '../../../adapters/native/hbase-files/hadoop-path.ts'
import { exportTable } from '../../../adapters/native/transfer/export-table.ts'
import { packageRoot } from '../../../src/package-root.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { CrashableFileSystem } from '../../harness/simulation/crashable-file-system.ts'
import { checked } from './inspect/damaged-store.ts'
import { StoreUnderTest, TABLE, tableOf } from './store-under-test.ts'
import { transferParts } from './transfer-parts.ts'

const F = Buffer.from('f')
const opened: StoreUnderTest[] = []

afterEach(async () => {
  for (const session of opened.splice(0)) await session.store.close()
})

async function openStore(splitKeys: readonly string[] = []): Promise<StoreUnderTest> {
  const session = await StoreUnderTest.open()
  opened.push(session)
  await session.createTable(tableOf('f', 'g'), splitKeys)
  return session
}

/** HFiles of the rows, as somebody else has written them: `/in/f/...`. */
async function write(to: CrashableFileSystem, rows: readonly string[], value: string): Promise<string> {
  const session = await StoreUnderTest.open()
  await session.createTable(tableOf('f'))
  // Their sequence ids are those of another store.
  for (let i = 0; i < 20; i++) await session.put(['zz'], { family: 'f', value: String(i) })
  await session.store.catalog.disableTable(TABLE, OWN_CALL)
  await session.store.catalog.truncateTable(TABLE, false, OWN_CALL)
  await session.put(rows, { value })
  await session.store.close()
  const files = session.fileSystem.killed()
  await exportTable(transferParts(files), TABLE, '/out')
  const [path] = files.paths().filter((known) => known.startsWith('/out/f/'))
  const place = `/in/f/${value}`
  to.replace(place, files.bytesOf(path!))
  return place
}

async function load(session: StoreUnderTest, paths: readonly string[], family = F): Promise<boolean> {
  const [region] = await session.store.catalog.regions(TABLE, OWN_CALL)
  const ref = { table: TABLE, encodedName: region!.encodedName }
  const files = paths.map((path) => ({ family, path: `file:${path}` }))
  return session.store.upkeep.bulkLoads!.bulkLoad(ref, files, OWN_CALL)
}

describe('a bulk load', () => {
  it('is newer than what the region has, older than what comes after, and survives kill -9', async () => {
    const session = await openStore(['m'])
    const path = await write(session.fileSystem, ['a', 'b', 'c'], 'loaded')
    await session.put(['a', 'x'], { value: 'flushed' })
    await session.flush()
    await session.put(['b', 'y'], { value: 'before' })
    const scanner = await session.scanner()
    expect(await load(session, [path])).toBe(true)
    const there = ['a=loaded', 'b=loaded', 'c=loaded', 'x=flushed', 'y=before']
    expect(await session.rows()).toEqual(there)
    await scanner.close()
    await session.put(['c'], { value: 'after' })
    const last = ['a=loaded', 'b=loaded', 'c=after', 'x=flushed', 'y=before']
    expect(await session.rows()).toEqual(last)
    const again = await session.killed()
    opened.splice(0, 1, again)
    expect(await again.rows()).toEqual(last)
    await again.flush()
    await again.store.upkeep.compactions!.compactTable(TABLE, { major: true }, OWN_CALL)
    await expect.poll(() => again.store.upkeep.compactions!.compactionState(TABLE, OWN_CALL)).toBe('NONE')
    expect(await again.rows()).toEqual(last)
    opened.length = 0
    expect(checked(again.fileSystem.killed()).findings).toEqual([])
    expect(session.fileSystem.exists(path)).toBe(true)
  })

  it('is newer than older cells though files are compacted while it copies', async () => {
    const session = await openStore()
    const rows = Array.from({ length: 20_000 }, (_, i) => `a${String(i).padStart(5, '0')}`)
    const path = await write(session.fileSystem, rows, 'loaded')
    await session.put(['a00000'], { value: 'older' })
    await session.flush()
    const ended: string[] = []
    const compact = async (): Promise<void> => {
      await session.put(['b'], { value: 'newer' })
      await session.flush()
      await session.store.upkeep.compactions!.compactTable(TABLE, { major: true }, OWN_CALL)
      ended.push('the flush')
    }
    let compacting: Promise<void> | undefined
    session.fileSystem.failReading = (read) => {
      const copies = read === path && session.paths('/s/data').some((known) => known.includes('.unfinished'))
      if (copies) compacting ??= compact()
      return false
    }
    const loading = load(session, [path])
    await loading.then(() => ended.push('the load'))
    await compacting
    expect(ended).toEqual(['the flush', 'the load'])
    expect(await loading).toBe(true)
    await expect.poll(() => session.store.upkeep.compactions!.compactionState(TABLE, OWN_CALL)).toBe('NONE')
    expect((await session.rows())[0]).toBe('a00000=loaded')
    expect(session.paths('/s/data')).toHaveLength(1)
  })

  it('takes all files of a call, the later ones as the newer ones, or none of them', async () => {
    const session = await openStore()
    const [one, two] = [
      await write(session.fileSystem, ['a', 'b'], 'one'),
      await write(session.fileSystem, ['b', 'c'], 'two'),
    ]
    const before = session.paths('/s/data')
    session.fileSystem.replace('/in/f/none', Buffer.from('no HFile'))
    await expect(load(session, [one, '/in/f/none'])).rejects.toMatchObject({ code: 'CORRUPTION' })
    await expect(load(session, [one, '/in/f/absent'])).rejects.toMatchObject({ code: 'IO' })
    const damaged = Buffer.from(session.fileSystem.bytesOf(two))
    damaged[60]! ^= 1
    session.fileSystem.replace('/in/f/damaged', damaged)
    await expect(load(session, [one, '/in/f/damaged'])).rejects.toMatchObject({ code: 'CORRUPTION' })
    expect(await session.rows()).toEqual([])
    await expect.poll(() => session.paths('/s/data')).toEqual(before)
    expect(await load(session, [one, two])).toBe(true)
    expect(await session.rows()).toEqual(['a=one', 'b=two', 'c=two'])
  })

  it('of rows of another region is to be divided, of another family is refused', async () => {
    const session = await openStore(['b'])
    const path = await write(session.fileSystem, ['a', 'b'], 'v')
    expect(await load(session, [path])).toBe(false)
    await expect(load(session, [path], Buffer.from('none'))).rejects.toMatchObject({
      code: 'DO_NOT_RETRY',
      message: 'No such column family none',
    })
    const own = await write(session.fileSystem, ['a'], 'w')
    await expect(load(session, [own], Buffer.from('g'))).rejects.toThrow('cells of family f, not of g')
    expect(await session.rows()).toEqual([])
  })

  it('of a file of the store itself is refused, however its path is written', async () => {
    const session = await openStore()
    await session.put(['a'], { value: 'secret' })
    await session.flush()
    const [own] = session.paths('/s/data')
    session.fileSystem.link(own!, '/in/f/linked')
    for (const path of [own!, own!.replace('/s/', '/s/../s/./'), `//${own!}`, '/in/f/linked'])
      await expect(load(session, [path])).rejects.toMatchObject({ code: 'ACCESS_DENIED' })
  })

  it('takes a file that HBase wrote, with tags and sequence ids of its own', async () => {
    const session = await openStore()
    const bytes = readFileSync(
      new URL('test/adapters/native/hfile/fixtures/hbase-2.6.1-row.hfile', packageRoot()),
    )
    session.fileSystem.replace('/in/f/hbase', bytes)
    expect(await load(session, ['/in/f/hbase'])).toBe(true)
    expect(await session.rows({ raw: true, maxVersions: 9 })).toHaveLength(127)
  })

  it('that the disk has no room for is refused whole', async () => {
    const session = await openStore()
    const path = await write(session.fileSystem, ['a'], 'v')
    session.fileSystem.failAppends({ after: 0, writtenBytes: 10 })
    await expect(load(session, [path])).rejects.toMatchObject({ code: 'IO' })
    session.fileSystem.repair()
    expect(await session.rows()).toEqual([])
    expect(await load(session, [path])).toBe(true)
    expect(await session.rows()).toEqual(['a=v'])
  })
})

it("Hadoop's paths are files of this machine, or refused", () => {
  expect(['file:/a/b', 'file:///a b', '/a', 'FILE:/x'].map(localPath)).toEqual(['/a/b', '/a b', '/a', '/x'])
  for (const path of ['hdfs://nn/a', 'a/b', 'file:a', 's3a:/a', 'file://host/a', ''])
    expect(() => localPath(path)).toThrow(/path of this machine|file: only|of another machine/)
})
