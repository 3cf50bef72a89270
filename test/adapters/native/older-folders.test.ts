/**
 * Folders that older commits have written: they open with all their cells, take writes, and damage in them is told. See
 * older-folders/write.mjs.
 */

import { readdirSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { openScanner } from '../../../src/gateway/reads/scanner.ts'
import { cellsOf } from '../../../src/model/cell-block.ts'
import { isHBaseError } from '../../../src/model/errors.ts'
import { ALL_VERSIONS, scan } from '../../../src/model/query.ts'
import { gathered } from '../../../src/model/results.ts'
import { parseTableName } from '../../../src/model/table-name.ts'
import { packageRoot } from '../../../src/package-root.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { CrashableFileSystem } from '../../harness/simulation/crashable-file-system.ts'
import { compactTable } from '../../store/suite/store-under-test.ts'
import { checked, worst } from './inspect/damaged-store.ts'
import { StoreUnderTest, TABLE } from './store-under-test.ts'

const FOLDER = new URL('test/adapters/native/older-folders/', packageRoot())
const NAMES = readdirSync(FOLDER).filter((name) => name.endsWith('.json.gz'))
/** Nobody reads a disabled table or a snapshot. */
const UNREAD = /^snapshots|\/off\//
const LIMITS = { rows: 1000, bytes: 1 << 20, allowPartial: false }
const OFF = parseTableName('off')

interface OlderFolder {
  /** `TABLE ROW FAMILY:QUALIFIER TIMESTAMP VALUE`, as the older engine read them. */
  readonly cells: readonly string[]
  /** In base64, by their paths in the folder. */
  readonly files: Readonly<Record<string, string>>
}

function olderFolder(name: string): OlderFolder & { readonly disk: CrashableFileSystem } {
  const older = JSON.parse(gunzipSync(readFileSync(new URL(name, FOLDER))).toString()) as OlderFolder
  const disk = new CrashableFileSystem()
  for (const [path, bytes] of Object.entries(older.files))
    disk.replace(`/s/${path}`, Buffer.from(bytes, 'base64'))
  return { ...older, disk }
}

const text = (bytes: Buffer): string => bytes.toString()

async function cellsIn({ store }: StoreUnderTest): Promise<string[]> {
  const cells: string[] = []
  for (const table of [TABLE, parseTableName('n:u')]) {
    const scanner = await openScanner(store, table, scan({ maxVersions: ALL_VERSIONS }), OWN_CALL)
    for (let isOver = false; !isOver; ) {
      const { results, ended } = await scanner.next(LIMITS, OWN_CALL)
      for (const { row, family, qualifier, timestamp, value } of cellsOf(gathered(results).cells))
        cells.push(
          `${String(table)} ${text(row)} ${text(family)}:${text(qualifier)} ${timestamp} ${text(value)}`,
        )
      isOver = ended === 'scan'
    }
    await scanner.close()
  }
  return cells
}

const placedIn = ({ logged }: StoreUnderTest): string[] => logged.filter((line) => !line.startsWith('info'))

describe.each(NAMES)('the folder %s', (name) => {
  it('opens with all its cells, tables and namespaces, and nothing to report', async () => {
    const { cells, disk } = olderFolder(name)
    expect(worst(checked(disk.fork()))).toEqual([])
    const session = await StoreUnderTest.open({}, disk)
    expect(await cellsIn(session)).toEqual(cells)
    const { catalog } = session.store
    expect((await catalog.namespace('n', OWN_CALL)).properties.get('owner')).toBe('somebody')
    expect(await catalog.tableState(OFF, OWN_CALL)).toBe('DISABLED')
    await catalog.enableTable(OFF, OWN_CALL)
    expect(await session.rowsOf(OFF)).toEqual(['y=y1'])
    expect(placedIn(session)).toEqual([])
    expect(session.paths('/s/lost+found')).toEqual([])
    expect(worst(checked(session.fileSystem.killed()))).toEqual([])
  })

  it('takes writes, flushes and compactions, and opens again after a kill and a power loss', async () => {
    const { cells, disk } = olderFolder(name)
    const session = await StoreUnderTest.open({}, disk)
    await session.put(['k'], { durability: 'FSYNC_WAL' })
    const withMore = await cellsIn(session)
    expect(withMore.filter((cell) => cell.split(' ')[1] !== 'k')).toEqual(cells)
    for (const left of [session.fileSystem.fork(), session.fileSystem.fork().powerLost(() => 0.5)])
      expect(await cellsIn(await StoreUnderTest.open({}, left))).toEqual(withMore)
    await session.flush()
    await compactTable(session.store, TABLE, { major: true })
    expect(await cellsIn(session)).toEqual(withMore)
    const next = await session.killed()
    expect(await cellsIn(next)).toEqual(withMore)
    expect([...placedIn(session), ...placedIn(next)]).toEqual([])
  })

  it('never has other cells without a word where a byte of it is damaged', async () => {
    const { cells, files, disk: sound } = olderFolder(name)
    for (const path of Object.keys(files).filter((each) => !UNREAD.test(each))) {
      const { length } = sound.bytesOf(`/s/${path}`)
      let told = 0
      for (const at of [40, length - 8]) {
        const disk = sound.fork()
        const bytes = Buffer.from(disk.bytesOf(`/s/${path}`))
        bytes[at]! ^= 0x55
        disk.replace(`/s/${path}`, bytes)
        if (await isFaultReported(disk, cells)) told++
      }
      // A log may end in what the disk has not had.
      if (!path.endsWith('.log')) expect(told, path).toBeGreaterThan(0)
    }
  })
})

/** Whether the start is refused, or reports an error, or reads fail. Otherwise all cells must be there. */
async function isFaultReported(disk: CrashableFileSystem, cells: readonly string[]): Promise<boolean> {
  try {
    const session = await StoreUnderTest.open({}, disk)
    const found = await cellsIn(session)
    if (placedIn(session).length > 0) return true
    expect(found).toEqual(cells)
    return false
  } catch (error) {
    if (isHBaseError(error) && ['CORRUPTION', 'IO'].includes(error.code)) return true
    throw error
  }
}
