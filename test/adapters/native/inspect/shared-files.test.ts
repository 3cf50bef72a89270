/** What check and repair make of files that regions share after a split, and of snapshots. */

import { beforeEach, describe, expect, it } from 'vitest'
import { type NamedFile, namedFiles, readFolder } from '../../../../adapters/native/inspect/store-folder.ts'
import { snapshotFile } from '../../../../adapters/native/layout/snapshot-directory.ts'
import { familyDescriptor, tableDescriptor } from '../../../../src/model/descriptor.ts'
import { parseTableName } from '../../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import type { CrashableFileSystem } from '../../../harness/simulation/crashable-file-system.ts'
import { numbered, StoreUnderTest, TABLE } from '../store-under-test.ts'
import { checked, repaired, worst } from './damaged-store.ts'

const ROWS = numbered(200)
const MIDDLE = 'r000100'
const CLONE = parseTableName('c')

/** A table of two halves, which no compaction makes files of their own; a snapshot from before the split, and one of the halves. */
async function splitStore(): Promise<CrashableFileSystem> {
  const session = await StoreUnderTest.open()
  const family = familyDescriptor('f', [
    ['BLOCKSIZE', '1024'],
    ['BLOOMFILTER', 'NONE'],
  ])
  await session.createTable(tableDescriptor(TABLE, [family], [['COMPACTION_ENABLED', 'false']]))
  await session.put(ROWS)
  const { regions, snapshots } = session.store.upkeep
  await snapshots!.createSnapshot('before', TABLE, 'FLUSH', OWN_CALL)
  await regions!.splitTable(TABLE, Buffer.from(MIDDLE), OWN_CALL)
  await snapshots!.createSnapshot('halves', TABLE, 'SKIPFLUSH', OWN_CALL)
  return session.fileSystem.killed()
}

let files: CrashableFileSystem
beforeEach(async () => {
  files = await splitStore()
})

const named = (): NamedFile[] => namedFiles(readFolder(files, '/s')!.catalog, '/s')
const ofSnapshot = (name: string): string[] =>
  named()
    .filter(({ snapshot }) => snapshot?.name === name)
    .map(({ path }) => path)
const ofTable = (): string[] =>
  named()
    .filter(({ snapshot }) => snapshot === undefined)
    .map(({ path }) => path)

/** As a disk damages bytes: under all names that they have. */
function damage(path: string, at: number): void {
  files.bytesOf(path)[at]! ^= 1
}

/** Rows of a table and of a clone of each snapshot. */
async function served(): Promise<Record<string, string[]>> {
  const session = await StoreUnderTest.open({}, files)
  const { snapshots } = session.store.upkeep
  const found: Record<string, string[]> = { table: await session.rows() }
  for (const { name } of await snapshots!.listSnapshots(OWN_CALL)) {
    await snapshots!.cloneSnapshot(name, CLONE, OWN_CALL)
    found[name] = await session.rowsOf(CLONE)
    await session.store.catalog.disableTable(CLONE, OWN_CALL)
    await session.store.catalog.deleteTable(CLONE, OWN_CALL)
  }
  await session.store.close()
  return found
}

describe('a folder with shared files and snapshots', () => {
  it('is sound, and each of its files is checked', () => {
    const halves = named().filter(({ file }) => file.from !== undefined || file.to !== undefined)
    expect(halves.map(({ snapshot }) => snapshot?.name)).toEqual([undefined, undefined, 'halves', 'halves'])
    const found = checked(files)
    expect(worst(found)).toEqual([])
    expect(found.check).toMatchObject({ storeFiles: 5, errors: 0, warnings: 0 })
  })

  it('has damage that is named by every name of the file', () => {
    damage(ofTable()[0]!, 600)
    const bad = worst(checked(files))
    expect(new Set(bad.map(({ path }) => path))).toEqual(new Set(named().map(({ path }) => path)))
    expect(bad.find(({ snapshot }) => snapshot === 'before')).toMatchObject({ severity: 'error', table: 't' })
  })

  it('has a missing file of a snapshot told', () => {
    const [first] = ofSnapshot('halves')
    files.remove(first!)
    expect(worst(checked(files))).toMatchObject([
      { path: first, message: expect.stringContaining('cannot be restored whole') },
    ])
  })

  it('has what the next start removes told from what it sets aside', async () => {
    const [path] = ofTable()
    const bytes = files.bytesOf(path!)
    const family = path!.slice(0, path!.lastIndexOf('/'))
    const left = [
      `${family}/0000000900.unfinished`,
      `${family}/0000000901`,
      snapshotFile('/s', 902, 903),
      snapshotFile('/s', 904, 905),
    ]
    files.replace(left[0]!, bytes)
    files.link(path!, left[1]!)
    for (const place of left.slice(2)) files.replace(place, bytes)
    files.replace(`${family}/0000000906`, bytes)
    const warned = worst(checked(files)).map(({ path: place, advice }) => [place, advice])
    const removed = left.map((place) => [place, 'nothing: the next start removes it'])
    expect(new Map(warned as [string, string][])).toEqual(
      new Map([
        ...(removed as [string, string][]),
        [`${family}/0000000906`, 'nothing: the next start sets it aside in lost+found'],
      ]),
    )
    await (await StoreUnderTest.open({}, files)).store.close()
    const paths = files.paths()
    expect(paths.filter((place) => left.includes(place))).toEqual([])
    expect(paths.filter((place) => place.includes('lost+found/'))).toEqual([
      `/s/lost+found${family.slice(2)}/0000000906`,
    ])
  })
})

describe('a repair', () => {
  it('gives each half and each snapshot its own file with what is left of the damaged one', async () => {
    damage(ofTable()[0]!, 600)
    const said = await repaired(files)
    const lost = said.filter((line) => line.startsWith('LOST'))
    // The damage is in a row of the first half: the second has lost nothing.
    expect(lost).toHaveLength(3)
    expect(
      lost.filter((line) => line.includes('snapshot')).map((line) => /snapshot \w+/.exec(line)![0]),
    ).toEqual(['snapshot before', 'snapshot halves'])
    expect(worst(checked(files)).filter(({ severity }) => severity === 'error')).toEqual([])
    const { table, before, halves } = await served()
    expect(table!.length).toBeGreaterThan(150)
    expect(table!.length).toBeLessThan(ROWS.length)
    expect(before).toEqual(table)
    expect(halves).toEqual(table)
  })

  it('keeps a sound snapshot of a damaged table, and loses nothing of a sound table to a damaged snapshot', async () => {
    const all = ROWS.map((row) => `${row}=v`)
    for (const path of ofTable()) files.remove(path)
    files.remove(ofSnapshot('halves')[0]!)
    await repaired(files)
    expect(checked(files).check).toMatchObject({ errors: 0 })
    const found = await served()
    expect(found['before']).toEqual(all)
    expect(found['halves']).toEqual(all.slice(100))
    expect(found['table']).toEqual([])
  })

  it('leaves the list of files that a crash kept from being removed', async () => {
    const session = await StoreUnderTest.open({}, files)
    await session.store.catalog.disableTable(TABLE, OWN_CALL)
    const gone = ofTable()[0]!
    const bytes = files.bytesOf(gone)
    await session.store.catalog.deleteTable(TABLE, OWN_CALL)
    await session.store.close()
    files.replace(gone, bytes)
    damage(ofSnapshot('halves')[0]!, 600)
    await repaired(files)
    await (await StoreUnderTest.open({}, files)).store.close()
    expect(files.paths().filter((path) => path.includes('/data/'))).toEqual([])
  })
})
