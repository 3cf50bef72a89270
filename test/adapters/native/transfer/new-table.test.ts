/** The table that an import with --create makes. The folder is of a table that HBase 2.6.1 made and flushed. */

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { exportTable } from '../../../../adapters/native/transfer/export-table.ts'
import { importFiles } from '../../../../adapters/native/transfer/import-files.ts'
import { familyDescriptor, tableDescriptor } from '../../../../src/model/descriptor.ts'
import { parseTableName, type TableName } from '../../../../src/model/table-name.ts'
import { packageRoot } from '../../../../src/package-root.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { CrashableFileSystem } from '../../../harness/simulation/crashable-file-system.ts'
import { checked } from '../inspect/damaged-store.ts'
import { StoreUnderTest, TABLE } from '../store-under-test.ts'
import { transferParts } from '../transfer-parts.ts'

const FOLDER = new URL('test/adapters/native/transfer/hbase-2.6.1-table', packageRoot()).pathname

function withFolder(): CrashableFileSystem {
  const files = new CrashableFileSystem()
  for (const name of readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })) {
    const path = join(FOLDER, name)
    if (statSync(path).isFile()) files.replace(`/hbase/${name}`, readFileSync(path))
  }
  return files
}

interface Made {
  readonly startKeys: readonly string[]
  readonly attributes: Readonly<Record<string, string>>
  readonly families: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly rows: readonly string[]
}

/** The table as a server shows it. */
async function made(files: CrashableFileSystem, table: TableName): Promise<Made> {
  const session = await StoreUnderTest.open({}, files)
  const { catalog } = session.store
  const { attributes, families } = await catalog.table(table, OWN_CALL)
  const regions = await catalog.regions(table, OWN_CALL)
  const rows = await session.rowsOf(table)
  await session.store.close()
  return {
    startKeys: regions.map(({ startKey }) => startKey.toString()),
    attributes: Object.fromEntries(attributes),
    families: Object.fromEntries(
      families.map(({ name, attributes }) => [name, Object.fromEntries(attributes)]),
    ),
    rows,
  }
}

async function imported(
  files: CrashableFileSystem,
  table: TableName,
  paths: readonly string[],
): Promise<Made> {
  await importFiles(transferParts(files), { table, paths, create: true })
  expect(checked(files).findings.filter(({ severity }) => severity === 'error')).toEqual([])
  return made(files, table)
}

describe('the table that an import makes', () => {
  it("has the attributes, families and regions of HBase's table, where its folder is imported", async () => {
    const found = await imported(withFolder(), parseTableName('shop:carried'), ['/hbase'])
    expect(found.startKeys).toEqual(['', 'h', 'p'])
    expect(found.attributes).toMatchObject({ MAX_FILESIZE: '123456789', 'my note': 'hello' })
    expect(found.attributes).not.toHaveProperty('IS_META')
    expect(found.families).toMatchObject({
      f: { VERSIONS: '3', COMPRESSION: 'GZ', BLOOMFILTER: 'ROWCOL', DATA_BLOCK_ENCODING: 'FAST_DIFF' },
      g: { MIN_VERSIONS: '1', KEEP_DELETED_CELLS: 'TRUE', BLOCKSIZE: '8192', COMPRESSION: 'NONE' },
    })
    expect(found.rows).toEqual(
      ['a', 'c', 'i', 'q', 'z'].flatMap((row) => [`${row}=v-${row}`, `${row}=w-${row}`]),
    )
  })

  it('is written by its families, so that a second export and import of its files makes the same', async () => {
    const files = withFolder()
    const table = parseTableName('carried')
    const first = await imported(files, table, ['/hbase'])
    await exportTable(transferParts(files), table, '/out')
    const second = await imported(files, parseTableName('again'), ['/out'])
    expect(second.families).toMatchObject({
      f: { COMPRESSION: 'GZ', BLOOMFILTER: 'ROWCOL', DATA_BLOCK_ENCODING: 'FAST_DIFF', VERSIONS: '1' },
      g: { COMPRESSION: 'NONE', BLOOMFILTER: 'ROW', DATA_BLOCK_ENCODING: 'NONE' },
    })
    // A region begins at the first row of its files.
    expect(second.startKeys).toEqual(['', 'i', 'q'])
    expect(second.rows).toEqual(first.rows)
  })

  it('has one region for files whose rows overlap', async () => {
    const session = await StoreUnderTest.open()
    await session.createTable(tableDescriptor(TABLE, [familyDescriptor('f'), familyDescriptor('g')]), ['m'])
    await session.put(['b', 'k', 'n', 'x'])
    await session.put(['c', 'p'], { family: 'g' })
    const files = session.fileSystem.killed()
    await exportTable(transferParts(files), TABLE, '/out')
    expect((await imported(files, parseTableName('u'), ['/out'])).startKeys).toEqual(['', 'n'])
    expect((await imported(files, parseTableName('v'), ['/out/f'])).startKeys).toEqual(['', 'n'])
  })

  it('is not made where its descriptor cannot be read: the refusal names the file, and what to do', async () => {
    const files = withFolder()
    files.replace('/hbase/.tabledesc/.tableinfo.0000000002.5', Buffer.from('no PBUF'))
    await expect(imported(files, parseTableName('c'), ['/hbase'])).rejects.toThrow(
      /\.tableinfo\.0000000002\.5 cannot be read: .* Import the regions' folders instead/,
    )
  })
})

it('takes all files of a table whose store file tracker is DEFAULT, whatever lists an earlier one has left', async () => {
  const files = withFolder()
  const [file] = files.paths().filter((path) => /\/f\/[0-9a-f]{32}$/.test(path))
  files.replace(`${file!.slice(0, file!.lastIndexOf('/'))}/.filelist/f1.1`, Buffer.from('left'))
  const { rows } = await imported(files, TABLE, ['/hbase'])
  expect(rows).toEqual((await imported(withFolder(), TABLE, ['/hbase'])).rows)
})
