/** HFiles into a native table and out of it. */

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { exportTable } from '../../../adapters/native/transfer/export-table.ts'
import { type Imported, importFiles } from '../../../adapters/native/transfer/import-files.ts'
import { packageRoot } from '../../../src/package-root.ts'
import { CrashableFileSystem } from '../../harness/simulation/crashable-file-system.ts'
import { checked } from './inspect/damaged-store.ts'
import { StoreUnderTest, TABLE, tableOf } from './store-under-test.ts'
import { transferParts } from './transfer-parts.ts'

function imported(fileSystem: CrashableFileSystem, paths: string[], create = false): Promise<Imported> {
  return importFiles(transferParts(fileSystem), { table: TABLE, paths, create })
}

const errorsIn = (files: CrashableFileSystem): string[] =>
  checked(files)
    .findings.filter(({ severity }) => severity === 'error')
    .map(({ message }) => message)

function hbaseFile(): Buffer {
  return readFileSync(new URL('test/adapters/native/hfile/fixtures/hbase-2.6.1-row.hfile', packageRoot()))
}

/** As HBase 2.6.1 wrote it after two flushes. */
const LIST = Buffer.from(
  '000000570899f1c7bda03412250a20346435373638396466373566346231663863396536636235373364373066373710d12612250a20396131363466333762656334346233626262373231633031313634313165656610d12618' +
    '0159bd4720',
  'hex',
)

/** A store with a row of the same key and time in each of two exports: the later one is to win. */
async function exported(value: string, rows: readonly string[]): Promise<CrashableFileSystem> {
  const session = await StoreUnderTest.open()
  await session.createTable(tableOf('f', 'g'), ['m'])
  await session.put(rows, { value })
  await session.put(['gg'], { family: 'g' })
  const files = session.fileSystem.killed()
  await exportTable(transferParts(files), TABLE, '/out')
  return files
}

function carry(from: CrashableFileSystem, to: CrashableFileSystem, place: string): void {
  for (const path of from.paths().filter((known) => known.startsWith('/out/')))
    to.replace(`${place}${path.slice('/out'.length)}`, from.bytesOf(path))
}

describe('an import', () => {
  it('takes what an export wrote, into regions with other borders, and as newer than what is there', async () => {
    const first = await exported('1', ['a', 'k', 'z'])
    const second = await exported('2', ['k', 'x'])
    const session = await StoreUnderTest.open()
    await session.createTable(tableOf('f', 'g'), ['c', 'l', 'y'])
    await session.put(['a', 'b'], { value: '0' })
    const files = session.fileSystem.killed()
    carry(first, files, '/one')
    carry(second, files, '/two')
    expect(await imported(files, ['/one'])).toEqual({ sources: 3, files: 4, cells: 4 })
    expect(await imported(files, ['/two'])).toMatchObject({ cells: 3 })
    expect(errorsIn(files)).toEqual([])
    const next = await StoreUnderTest.open({}, files)
    expect(await next.rows()).toEqual(['a=1', 'b=0', 'gg=v', 'k=2', 'x=2', 'z=1'])
    await next.put(['k'], { value: '3' })
    expect(await next.rows({ startRow: Buffer.from('k'), stopRow: Buffer.from('l') })).toEqual(['k=3'])
    await next.store.close()
  })

  it("takes a table's folder of HBase, the file with the greater sequence id as the newer one", async () => {
    const files = new CrashableFileSystem()
    const region = '/hbase/0123456789abcdef0123456789abcdef'
    files.replace(`${region}/f/aa`, hbaseFile())
    files.replace(`${region}/.regioninfo`, Buffer.from('x'))
    expect(await imported(files, ['/hbase'], true)).toEqual({ sources: 1, files: 1, cells: 127 })
    expect(errorsIn(files)).toEqual([])
    const session = await StoreUnderTest.open({}, files)
    const rows = await session.rows({ raw: true, maxVersions: 9 })
    expect(rows).toHaveLength(127)
    await session.store.close()
  })

  it.each([
    ['of a family that the table does not have', ['x'], /valid family names of table t are: \[x\]/],
    ['into a table that is not there', undefined, /there is no table t/],
  ])('%s is refused and leaves nothing', async (_, families, message) => {
    const session = await StoreUnderTest.open()
    if (families !== undefined) await session.createTable(tableOf(...families))
    await session.store.close()
    const files = session.fileSystem.killed()
    files.replace('/in/f/aa', hbaseFile())
    await expect(imported(files, ['/in'])).rejects.toThrow(message)
    expect(files.paths().filter((path) => path.startsWith('/s/data'))).toEqual([])
  })

  it('of a damaged file is refused and leaves nothing', async () => {
    const files = new CrashableFileSystem()
    const bytes = hbaseFile()
    bytes[2000]! ^= 1
    files.replace('/in/f/aa', bytes)
    await expect(imported(files, ['/in'], true)).rejects.toMatchObject({ code: 'CORRUPTION' })
    expect(files.paths().filter((path) => path.startsWith('/s/data'))).toEqual([])
  })

  it.each([
    ['a folder where an HFile must be', '/in/f/folder/aa', /folder cannot be read as an HFile/],
    ['an export that was cut off', '/in/.unfinished/f/aa', /cut off: export again/],
  ])('of %s is refused', async (_, path, message) => {
    const files = new CrashableFileSystem()
    files.makeDirectory('/in/f/folder')
    files.replace('/in/f/bb', hbaseFile())
    files.replace(path, hbaseFile())
    await expect(imported(files, ['/in'], true)).rejects.toThrow(message)
  })

  it('takes families whose names begin as those that HBase hides', async () => {
    const session = await StoreUnderTest.open()
    await session.createTable(tableOf('_f', 'é'))
    for (const family of ['_f', 'é']) await session.put([family], { family })
    const files = session.fileSystem.killed()
    await exportTable(transferParts(files), TABLE, '/out')
    expect(new Set(files.list('/out'))).toEqual(new Set(['_f', 'é']))
    const other = new CrashableFileSystem()
    carry(files, other, '/in')
    other.replace('/in/_SUCCESS', Buffer.alloc(0))
    other.replace('/in/_logs/history', Buffer.alloc(1))
    expect(await imported(other, ['/in'], true)).toMatchObject({ sources: 2, cells: 2 })
  })

  describe("of a family with a list of HBase's FILE tracker", () => {
    const family = '/in/0123456789abcdef0123456789abcdef/f'
    function listed(): CrashableFileSystem {
      const files = new CrashableFileSystem()
      files.replace(`${family}/9a164f37bec44b3bbb721c0116411eef`, hbaseFile())
      files.replace(`${family}/4d57689df75f4b1f8c9e6cb573d70f77`, hbaseFile())
      files.replace(`${family}/ffffffffffffffffffffffffffffffff`, hbaseFile())
      files.replace(`${family}/.filelist/f2.1795425431464`, LIST)
      return files
    }

    it.each([['/in'], ['/in/0123456789abcdef0123456789abcdef'], [family]])(
      'takes only the files that it names: %s',
      async (path) => {
        expect(await imported(listed(), [path], true)).toMatchObject({ sources: 2, cells: 254 })
      },
    )

    it('reads the list before where a crash has cut the newest', async () => {
      const files = listed()
      files.replace(`${family}/.filelist/f1.1795425439999`, LIST.subarray(0, 50))
      expect(await imported(files, ['/in'], true)).toMatchObject({ sources: 2 })
    })

    it('is refused where the list is damaged, or a file that it names is not there', async () => {
      const files = listed()
      files.remove(`${family}/4d57689df75f4b1f8c9e6cb573d70f77`)
      await expect(imported(files, ['/in'], true)).rejects.toThrow(
        /4d57689df75f4b1f8c9e6cb573d70f77 is not there/,
      )
      const damaged = Buffer.from(LIST)
      damaged[20]! ^= 1
      files.replace(`${family}/.filelist/f2.1795425431464`, damaged)
      await expect(imported(files, ['/in'], true)).rejects.toMatchObject({ code: 'CORRUPTION' })
      files.replace(`${family}/.filelist/f2.1795425431464`, LIST.subarray(0, 50))
      await expect(imported(files, ['/in'], true)).rejects.toThrow(/no list in it is whole/)
    })
  })

  it('of a reference to a file of another region is refused', async () => {
    const files = new CrashableFileSystem()
    files.replace('/in/f/aa.0123456789abcdef0123456789abcdef', hbaseFile())
    await expect(imported(files, ['/in'], true)).rejects.toThrow(/major compaction/)
  })
})

describe('an export', () => {
  it('that fails leaves nothing, and one that was killed is begun anew', async () => {
    const files = await exported('1', ['a', 'z'])
    const whole = files.paths().filter((path) => path.startsWith('/out/'))
    const target = '/again'
    files.failOpening = (path) => path.startsWith(`${target}/.unfinished/g/`)
    await expect(exportTable(transferParts(files), TABLE, target)).rejects.toThrow(/EIO/)
    expect(files.list(target)).toEqual([])
    files.replace(`${target}/.unfinished/f/half`, Buffer.alloc(1))
    files.failOpening = () => false
    await exportTable(transferParts(files), TABLE, target)
    const paths = files.paths().filter((path) => path.startsWith(`${target}/`))
    expect(paths).toEqual(whole.map((path) => path.replace('/out', target)))
  })
})
