/** A store file that is damaged or missing, and a table that cannot be flushed, are the affair of their regions. */

import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { familyDirectory, tableDirectory } from '../../../adapters/native/layout/region-directory.ts'
import { familyDescriptor, tableDescriptor } from '../../../src/model/descriptor.ts'
import { MutationBatch } from '../../../src/model/mutation.ts'
import { get } from '../../../src/model/query.ts'
import { parseTableName, type TableName } from '../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import type { CrashableFileSystem } from '../../harness/simulation/crashable-file-system.ts'
import { testRuns } from '../../harness/test-runs.ts'
import { StoreUnderTest, TABLE, tableOf } from './store-under-test.ts'

const OTHER = parseTableName('other')

async function putInto(
  { store }: StoreUnderTest,
  table: TableName,
  family: string,
  value = 'v',
): Promise<void> {
  const batch = new MutationBatch().put(
    Buffer.from('row'),
    Buffer.from(family),
    Buffer.from('q'),
    Buffer.from(value),
  )
  batch.endMutation()
  await store.rows.mutate(table, batch, OWN_CALL)
}

async function countIn({ store }: StoreUnderTest, table: TableName): Promise<number | undefined> {
  const { counts } = await store.rows.get(table, [get(Buffer.from('row'))], { bytes: 1e6 }, OWN_CALL)
  return counts[0]
}

/** The files of two flushed tables, and a store file of the first's region of rows from `m` on. */
async function flushedTables(): Promise<{ files: CrashableFileSystem; file: string }> {
  const session = await StoreUnderTest.open()
  await session.createTable(tableOf('f', 'g'), ['m'])
  await session.put(['z'])
  await session.flush()
  const [file] = session.paths('/s/data')
  await session.put(['a', 'y'], { family: 'g' })
  await session.store.catalog.createTable(tableDescriptor(OTHER, [familyDescriptor('f')]), [], OWN_CALL)
  await putInto(session, OTHER, 'f')
  await session.store.upkeep.flushes!.flushTable(OTHER, OWN_CALL)
  return { files: session.fileSystem.killed(), file: file! }
}

describe('one store file', () => {
  it.each([
    ['missing', (files: CrashableFileSystem, path: string): void => files.remove(path), 'is missing'],
    [
      'empty',
      (files: CrashableFileSystem, path: string): void => files.replace(path, Buffer.alloc(0)),
      'corrupt',
    ],
    [
      'cut',
      (files: CrashableFileSystem, path: string): void =>
        files.replace(path, files.bytesOf(path).subarray(0, -1)),
      'corrupt',
    ],
  ])('that is %s costs the reads that need it, and no others', async (_, damage, fault) => {
    const { files, file } = await flushedTables()
    damage(files, file)
    const session = await StoreUnderTest.open({}, files)
    const refusal = { code: 'CORRUPTION', message: expect.stringContaining(file) }
    await expect(session.rows()).rejects.toMatchObject(refusal)
    await expect(session.rows({ startRow: Buffer.from('n') })).rejects.toMatchObject(refusal)
    expect(await session.rows({ stopRow: Buffer.from('c') })).toEqual(['a=v'])
    expect(await countIn(session, OTHER)).toBe(1)
    expect(session.logged).toContainEqual(
      expect.stringMatching(new RegExp(`^error: .*${file}.*${fault}|^error: .*${fault}.*${file}`)),
    )
    await session.put(['zz'])
    await session.flush()
    await session.store.close()
    const again = await StoreUnderTest.open({}, files)
    await expect(again.rows()).rejects.toMatchObject(refusal)
    await again.store.catalog.disableTable(TABLE, OWN_CALL)
    await again.store.catalog.deleteTable(TABLE, OWN_CALL)
    expect(await countIn(again, OTHER)).toBe(1)
  })
})

describe('a store file in the place of another', () => {
  it('is not served as the other, be it of another table, region or family', async () => {
    const session = await StoreUnderTest.open()
    await session.createTable(tableOf('f', 'g'), ['m'])
    for (const family of ['f', 'g']) await session.put(['a', 'z'], { family })
    await session.flush()
    await session.store.catalog.createTable(tableDescriptor(OTHER, [familyDescriptor('f')]), [], OWN_CALL)
    await putInto(session, OTHER, 'f')
    await session.store.upkeep.flushes!.flushTable(OTHER, OWN_CALL)
    const paths = session.paths('/s/data')
    expect(paths).toHaveLength(5)
    for (const path of paths) {
      for (const other of paths) {
        const files = session.fileSystem.killed()
        files.replace(path, session.fileSystem.bytesOf(other))
        const again = await StoreUnderTest.open({}, files)
        const outcome = Promise.all([again.rows(), countIn(again, OTHER)])
        if (path === other) await outcome
        else await expect(outcome).rejects.toMatchObject({ code: 'CORRUPTION', detail: { path } })
      }
    }
  })
})

describe("a snapshot's file that is missing", () => {
  it('is CORRUPTION with its name for every client that makes a table of the snapshot, and harms no other table', async () => {
    const session = await StoreUnderTest.open({}, (await flushedTables()).files)
    const snapshots = session.store.upkeep.snapshots!
    await snapshots.createSnapshot('s', TABLE, 'FLUSH', OWN_CALL)
    const [file] = session.paths('/s/snapshots')
    session.fileSystem.remove(file!)
    const clone = snapshots.cloneSnapshot('s', parseTableName('c'), OWN_CALL)
    await expect(clone).rejects.toMatchObject({ code: 'CORRUPTION', detail: { path: file } })
    expect(session.paths('/s/data/default/c')).toEqual([])
    expect(await session.rows()).toHaveLength(3)
    await session.store.close()
  })
})

describe('names on disk', () => {
  it('are short enough for every file system, whatever the table and its families are called', () => {
    const anyTable = fc.stringMatching(/^[A-Za-z0-9_][A-Za-z0-9_.-]{0,400}$/)
    const anyFamily = fc.uint8Array({ minLength: 1, maxLength: 255 })
    const property = fc.property(anyTable, anyFamily, (table, family) => {
      const name = parseTableName(table)
      for (const path of [tableDirectory('', name), familyDirectory('', Buffer.from(family))]) {
        for (const part of path.split('/')) expect(Buffer.byteLength(part)).toBeLessThanOrEqual(255)
      }
    })
    fc.assert(property, { numRuns: testRuns(200) })
  })

  it('are what they were where they are short, and differ where the names do', () => {
    const long = 'x'.repeat(255)
    expect(tableDirectory('/s', parseTableName(long))).toBe(`/s/data/default/${long}`)
    const directories = ['a', 'b', 'c'].map((last) => tableDirectory('/s', parseTableName(`${long}${last}`)))
    expect(new Set(directories).size).toBe(3)
    expect(familyDirectory('/r', Buffer.from('a:é', 'latin1'))).toBe('/r/a%3a%e9')
  })
})

describe('tables with names that no file can have', () => {
  it.each([
    ['x'.repeat(300), 'f'],
    ['t', 'é'.repeat(60)],
  ])('are flushed and read again', async (table, family) => {
    const name = parseTableName(table)
    const session = await StoreUnderTest.open()
    session.fileSystem.nameBytesMax = 255
    await session.store.catalog.createTable(tableDescriptor(name, [familyDescriptor(family)]), [], OWN_CALL)
    await putInto(session, name, family)
    await session.store.upkeep.flushes!.flushTable(name, OWN_CALL)
    const again = await session.killed()
    expect(await countIn(again, name)).toBe(1)
    expect(again.paths('/s/data')).toHaveLength(1)
  })
})

describe('a table that cannot be flushed', () => {
  const opened: StoreUnderTest[] = []
  afterEach(async () => {
    for (const session of opened.splice(0)) await session.store.close()
  })

  it('takes no memory from the others, and does not keep the store from starting', async () => {
    const options = { flushBytes: 20_000, memstoreBytesMax: 80_000 }
    const failing = (session: StoreUnderTest): StoreUnderTest => {
      opened.push(session)
      session.fileSystem.failOpening = (path) => path.startsWith('/s/data/default/t/')
      return session
    }
    const session = failing(await StoreUnderTest.open(options))
    await session.createTable(tableOf('f'))
    await session.store.catalog.createTable(tableDescriptor(OTHER, [familyDescriptor('f')]), [], OWN_CALL)
    const value = 'x'.repeat(1000)
    const fill = async (): Promise<void> => {
      for (let i = 0; i < 100; i++) await session.put([`r${i}`], { value })
    }
    expect(await session.store.troubles()).toEqual([])
    const cause = expect.objectContaining({ message: expect.stringContaining('EIO') as string }) as Error
    await expect(fill()).rejects.toMatchObject({ code: 'REGION_TOO_BUSY', cause })
    expect(await session.store.troubles()).toEqual([
      expect.stringMatching(/^region t,.*cannot be flushed \(.*EIO.*its writes are refused/),
    ])
    expect(await session.store.outage()).toBeUndefined()
    for (let i = 0; i < 200; i++) await putInto(session, OTHER, 'f', value + String(i))
    const rows = (await session.rows()).length
    expect(rows).toBeGreaterThan(10)
    const files = session.fileSystem.killed()
    opened.length = 0
    files.failOpening = session.fileSystem.failOpening
    const again = failing(await StoreUnderTest.open({ ...options, flushBytes: 5000 }, files))
    expect(await again.rows()).toHaveLength(rows)
    expect(await countIn(again, OTHER)).toBe(1)
    expect(again.logged).toContainEqual(expect.stringContaining('error: the flush of region t,'))
    again.fileSystem.failOpening = () => false
    await again.store.upkeep.flushes!.flushTable(TABLE, OWN_CALL)
    expect(await again.store.troubles()).toEqual([])
  })
})
