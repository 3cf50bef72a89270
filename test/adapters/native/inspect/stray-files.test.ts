/** Files that the manifest names where they cannot count, and a store whose manifests are gone. */

import { describe, expect, it } from 'vitest'
import { manifestPaths, readFolder } from '../../../../adapters/native/inspect/store-folder.ts'
import type { RegionRecord, TableRecord } from '../../../../adapters/native/manifest/manifest-edit.ts'
import { rewriteManifest } from '../../../../adapters/native/manifest/manifest-rewrite.ts'
import { importFiles } from '../../../../adapters/native/transfer/import-files.ts'
import { parseTableName } from '../../../../src/model/table-name.ts'
import type { CrashableFileSystem } from '../../../harness/simulation/crashable-file-system.ts'
import { StoreUnderTest, TABLE } from '../store-under-test.ts'
import { transferParts } from '../transfer-parts.ts'
import { checked, damageableStore, LATER_ROWS, ROWS, repaired } from './damaged-store.ts'

/** Writes the manifest anew with a changed table. */
async function alterTable(
  files: CrashableFileSystem,
  alter: (table: TableRecord) => TableRecord,
): Promise<void> {
  const { catalog, generation } = readFolder(files, '/s')!
  const edits = catalog.edits().map((edit) => {
    return edit.kind === 'table' ? { ...edit, table: alter(edit.table) } : edit
  })
  await rewriteManifest(files, '/s', manifestPaths('/s'), generation + 1, edits)
}

/** With other records of the files of the family `f`. */
function alterFiles(
  { regions, ...table }: TableRecord,
  alter: (file: RegionRecord['files'][number], region: RegionRecord) => RegionRecord['files'][number],
): TableRecord {
  const altered = regions.map((region) => ({
    ...region,
    files: region.files.map((file) => (file.family.toString() === 'f' ? alter(file, region) : file)),
  }))
  return { ...table, regions: altered }
}

const errorsIn = (files: CrashableFileSystem): string[] =>
  checked(files)
    .findings.filter(({ severity }) => severity === 'error')
    .map(({ message }) => message)

async function rowsOf(files: CrashableFileSystem, table = TABLE): Promise<string[]> {
  const session = await StoreUnderTest.open({}, files)
  const rows = await session.rowsOf(table)
  await session.store.close()
  return [...new Set(rows.map((row) => row.split('=')[0]!))]
}

const ALL = [...ROWS, ...LATER_ROWS].filter((row) => row !== 'r000007')
const isOf = (family: string) => (path: string) => path.startsWith('/s/data/') && path.includes(`/${family}/`)

describe('a file that the manifest names where it cannot count', () => {
  it('is set aside with all its bytes where its table does not have its family', async () => {
    const files = await damageableStore()
    const strays = files.paths().filter(isOf('g'))
    const bytes = strays.map((path) => files.bytesOf(path))
    await alterTable(files, (table) => ({
      ...table,
      families: table.families.filter(({ name }) => name.toString() !== 'g'),
    }))
    expect(errorsIn(files)).toContainEqual(
      expect.stringContaining('of the family g, which the table does not have'),
    )
    const said = await repaired(files)
    expect(said).toContainEqual(expect.stringMatching(/\/g\/\d+ was set aside: its table does not have/))
    expect(said.join('\n')).not.toContain('LOST')
    const places = strays.map((path) => path.replace('/s/', '/s/lost+found/'))
    expect(places.map((path) => files.bytesOf(path))).toEqual(bytes)
    expect(errorsIn(files)).toEqual([])
    expect(await rowsOf(files)).toEqual(ALL)
  })

  it('is set aside where its region has none of its rows', async () => {
    const files = await damageableStore()
    await alterTable(files, (table) =>
      alterFiles(table, (file, { endKey }) => {
        return endKey.length === 0 ? { ...file, from: Buffer.from('a'), to: Buffer.from('b') } : file
      }),
    )
    expect(errorsIn(files)).toContainEqual(expect.stringContaining('has bounds outside its region'))
    expect(await repaired(files)).toContainEqual(
      expect.stringMatching(/\/f\/\d+ was set aside: its region has none of the rows/),
    )
    expect(errorsIn(files)).toEqual([])
    expect(await rowsOf(files)).toEqual(ALL)
  })

  it('counts for the rows that its region has, where its bounds have others, too', async () => {
    const files = await damageableStore()
    await alterTable(files, (table) =>
      alterFiles(table, (file, { endKey }) => {
        return endKey.length === 0 ? { ...file, from: Buffer.from('r000030') } : file
      }),
    )
    expect(errorsIn(files)).toContainEqual(expect.stringContaining('has bounds outside its region'))
    expect(await repaired(files)).toContainEqual(
      expect.stringContaining('only rows from r000040 to the last count'),
    )
    expect(errorsIn(files)).toEqual([])
    expect(files.paths().filter((path) => path.startsWith('/s/lost+found/data'))).toEqual([])
    expect(await rowsOf(files)).toEqual(ALL)
  })

  it('is written under a number of its own where another file has the same', async () => {
    const files = await damageableStore()
    const [first, second] = files.paths().filter(isOf('f'))
    const name = first!.slice(first!.lastIndexOf('/') + 1)
    files.rename(second!, `${second!.slice(0, second!.lastIndexOf('/') + 1)}${name}`)
    await alterTable(files, (table) => alterFiles(table, (file) => ({ ...file, number: Number(name) })))
    expect(errorsIn(files)).toContainEqual(expect.stringContaining('two regions have a file'))
    expect(await repaired(files)).toContainEqual(expect.stringMatching(/^all \d+ cells of it are written/))
    expect(errorsIn(files)).toEqual([])
    expect(await rowsOf(files)).toEqual(ALL)
  })
})

describe('a store whose manifests are gone', () => {
  it('is not repaired, and the refusal names commands that bring its store files into a new store', async () => {
    const files = await damageableStore()
    for (const manifest of ['/s/manifest', '/s/manifest.copy']) files.remove(manifest)
    const before = files.paths()
    expect(checked(files).findings[0]!.advice).toContain('says what to do without')
    const refusal = await repaired(files).catch((error: Error) => error.message)
    expect(files.paths()).toEqual(before)
    const lines = String(refusal).split('\n')
    expect(lines).toContain('  tidegate import /s/data/default/t --store native:NEW --table t --create')
    const [log] = files.list('/s/wal')
    expect(lines).toContain(`  tidegate dump --cells /s/wal/${log}`)
    const target = { ...transferParts(files), directory: '/new' }
    const table = parseTableName('t')
    await importFiles(target, { table, paths: ['/s/data/default/t'], create: true })
    for (const path of files.paths().filter((known) => known.startsWith('/s/'))) files.remove(path)
    for (const path of files.paths().filter((known) => known.startsWith('/new/')))
      files.replace(path.replace('/new/', '/s/'), files.bytesOf(path))
    expect(await rowsOf(files)).toEqual(ROWS.filter((row) => row !== 'r000007'))
  })
})
