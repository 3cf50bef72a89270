/** A store that is killed before each step of its work on the disk: nobody has to look at what it leaves. */

import { describe, expect, it } from 'vitest'
import { exportTable } from '../../../adapters/native/transfer/export-table.ts'
import { importFiles } from '../../../adapters/native/transfer/import-files.ts'
import { tableDescriptor } from '../../../src/model/descriptor.ts'
import { parseTableName, type TableName } from '../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { observed } from '../../harness/explorer/observed-file-system.ts'
import { CrashableFileSystem } from '../../harness/simulation/crashable-file-system.ts'
import { compactTable } from '../../store/suite/store-under-test.ts'
import { StoreUnderTest, TABLE, tableOf } from './store-under-test.ts'
import { transferParts } from './transfer-parts.ts'

const STEPS: ReadonlySet<string | symbol> = new Set<keyof CrashableFileSystem>([
  'rename',
  'remove',
  'link',
  'syncDirectory',
  'open',
])

/** What a kill leaves before each step of the work. */
async function leftAtSteps(
  before: CrashableFileSystem,
  work: (fileSystem: CrashableFileSystem) => Promise<unknown>,
): Promise<CrashableFileSystem[]> {
  const left: CrashableFileSystem[] = []
  const watched = new Proxy(before.killed(), {
    get: (target, name) => {
      const part: unknown = Reflect.get(target, name, target)
      if (typeof part !== 'function') return part
      return (...values: unknown[]): unknown => {
        if (STEPS.has(name)) left.push(target.fork())
        return Reflect.apply(part, target, values)
      }
    },
  })
  await work(watched)
  return left
}

/** What the next start sets aside, for any step. */
async function setAside(
  before: CrashableFileSystem,
  work: (fileSystem: CrashableFileSystem) => Promise<unknown>,
  rows: readonly string[],
): Promise<string[]> {
  const found: string[] = []
  for (const [step, survivor] of (await leftAtSteps(before, work)).entries()) {
    const next = await StoreUnderTest.open({}, survivor)
    found.push(...next.paths('/s/lost+found').map((path) => `step ${step}: ${path}`))
    expect(await next.rows(), `step ${step}`).toEqual(expect.arrayContaining([...rows]))
    await next.store.close()
    expect(next.paths('/s/data').filter((path) => path.includes('unfinished'))).toEqual([])
  }
  return found
}

const KEPT = ['a=v', 'b=v', 'c=v']
const OTHER: TableName = parseTableName('u')

/** A store that was killed with two files and a log of some more rows. */
async function killedStore(): Promise<CrashableFileSystem> {
  const session = await StoreUnderTest.open()
  await session.createTable(tableOf('f', 'g'))
  for (const row of ['a', 'b']) {
    await session.put([row])
    await session.flush()
  }
  await session.put(['c'])
  return session.fileSystem.killed()
}

async function writeAndCompact(fileSystem: CrashableFileSystem): Promise<void> {
  const session = await StoreUnderTest.open({}, fileSystem)
  await session.put(['d'])
  await session.put(['e'], { family: 'g' })
  await session.flush()
  await compactTable(session.store, TABLE, { major: true })
  await session.put(['f'])
  await session.store.close()
}

function takeExport(fileSystem: CrashableFileSystem): Promise<unknown> {
  return importFiles(transferParts(fileSystem), { table: TABLE, paths: ['/out'], create: false })
}

async function flushAndClone(fileSystem: CrashableFileSystem): Promise<void> {
  const session = await StoreUnderTest.open({}, fileSystem)
  await session.flush()
  const snapshots = session.store.upkeep.snapshots!
  await snapshots.createSnapshot('s', TABLE, 'FLUSH', OWN_CALL)
  await snapshots.cloneSnapshot('s', OTHER, OWN_CALL)
  await session.store.close()
}

async function dropOther(fileSystem: CrashableFileSystem): Promise<void> {
  const { store } = await StoreUnderTest.open({}, fileSystem)
  await store.catalog.disableTable(OTHER, OWN_CALL)
  await store.catalog.deleteTable(OTHER, OWN_CALL)
  await store.close()
}

describe('a kill at any step sets nothing aside', () => {
  it('of a start, a flush, a compaction and a stop', async () => {
    expect(await setAside(await killedStore(), writeAndCompact, KEPT)).toEqual([])
  })

  it('of an import', async () => {
    const files = await killedStore()
    const exported = files.killed()
    await exportTable(transferParts(exported), TABLE, '/out')
    const before = exported.killed()
    expect(before.paths().some((path) => path.startsWith('/out/'))).toBe(true)
    expect(await setAside(before, takeExport, KEPT)).toEqual([])
  })

  it('of the first flush of all, and of a table that is made of a snapshot', async () => {
    const session = await StoreUnderTest.open()
    await session.createTable(tableOf('f', 'g'))
    for (const row of ['a', 'b', 'c']) await session.put([row])
    expect(await setAside(session.fileSystem.killed(), flushAndClone, KEPT)).toEqual([])
  })

  it('of the end of a table', async () => {
    const session = await StoreUnderTest.open({}, await killedStore())
    await session.store.catalog.createTable(tableDescriptor(OTHER, tableOf('f').families), [], OWN_CALL)
    await session.store.close()
    expect(await setAside(session.fileSystem.killed(), dropOther, KEPT)).toEqual([])
  })
})

it('a first start that is killed in the header of its log, and again at any step of the next start, refuses no later one', async () => {
  const torn: CrashableFileSystem[] = []
  const disk = new CrashableFileSystem()
  const seen = observed(disk, ({ path, bytes }) => {
    for (const length of [0, 1, 15]) {
      if (path !== '/s/wal/0000000001.log' || bytes === undefined) continue
      const left = disk.fork()
      left.open(path, 'append').append([bytes.subarray(0, length)])
      torn.push(left)
    }
  })
  await StoreUnderTest.open({}, seen)
  expect(torn).toHaveLength(3)
  for (const before of torn) {
    const again: CrashableFileSystem[] = []
    await StoreUnderTest.open(
      {},
      observed(before, () => again.push(before.fork())),
    )
    expect(again.length).toBeGreaterThan(8)
    for (const left of again) {
      const { logged } = await StoreUnderTest.open({}, left)
      expect(logged.filter((line) => !line.startsWith('info'))).toEqual([])
      expect(left.paths().filter((path) => path.includes('lost+found'))).toEqual([])
    }
  }
})
