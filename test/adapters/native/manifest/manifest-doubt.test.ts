/** A disk that fails syncs of the manifest: no answered write is lost, and memory and disk agree again without a start. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { CatalogLog } from '../../../../adapters/native/manifest/catalog-log.ts'
import { tableDescriptor } from '../../../../src/model/descriptor.ts'
import { ERROR_TRAITS, isHBaseError } from '../../../../src/model/errors.ts'
import { parseTableName } from '../../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { CrashableFileSystem } from '../../../harness/simulation/crashable-file-system.ts'
import { failSyncs } from '../../../harness/simulation/failing-syncs.ts'
import { StoreUnderTest, TABLE, tableOf } from '../store-under-test.ts'
import { MANIFEST_CHANGES, type ManifestChange } from './manifest-changes.ts'

const OTHER = parseTableName('other')
const FILES = ['/s/manifest', '/s/manifest.copy']
const OPTIONS = { wal: { logBytesMax: 4000, syncEveryBytes: 1000 } }

interface Disk {
  fails: (path: string) => boolean
  readonly session: StoreUnderTest
}

async function prepared({ prepare }: ManifestChange): Promise<Disk> {
  const fileSystem = new CrashableFileSystem()
  const disk = { fails: (_path: string): boolean => false }
  failSyncs(fileSystem, (path) => disk.fails(path))
  const session = await StoreUnderTest.open(OPTIONS, fileSystem)
  await session.createTable(tableOf('f', 'g'), ['m'])
  for (const family of ['f', 'g']) await session.put(['a', 'b', 'n'], { family })
  await session.flush()
  await session.put(['c', 'o'], { durability: 'FSYNC_WAL' })
  await prepare?.(session)
  return Object.assign(disk, { session })
}

/** What clients see of the store. */
async function viewOf(session: StoreUnderTest): Promise<unknown> {
  const { catalog, upkeep } = session.store
  const tables = await catalog.listTables(OWN_CALL)
  const views = tables.map(async ({ name, families }) => {
    const regions = await catalog.regions(name, OWN_CALL)
    const state = await catalog.tableState(name, OWN_CALL)
    const isRead = state === 'ENABLED' && regions.every(({ closedReplicas }) => closedReplicas === undefined)
    return {
      name,
      state,
      families: families.map((family) => family.name.toString()),
      regions: regions.map((region) => [region.name.toString('latin1'), region.closedReplicas]),
      rows: isRead ? await session.rowsOf(name) : undefined,
    }
  })
  return {
    tables: await Promise.all(views),
    namespaces: (await catalog.listNamespaces(OWN_CALL)).map(({ name }) => name),
    snapshots: (await upkeep.snapshots!.listSnapshots(OWN_CALL)).map(({ name }) => name),
    splits: await upkeep.switches!.isOn('split', OWN_CALL),
  }
}

/** Rows that were written, as `row=value`; those refused must be so with an error after which a client tries again. */
async function written(session: StoreUnderTest, rows: readonly string[]): Promise<string[]> {
  const acknowledged: string[] = []
  for (const row of rows) {
    for (const family of ['f', 'g']) {
      try {
        const failures = await session.put([row], { family, value: family, durability: 'FSYNC_WAL' })
        if (failures.length === 0) acknowledged.push(`${row}=${family}`)
      } catch (error) {
        if (!isHBaseError(error)) throw error
        const isOfTable = ['TABLE_NOT_ENABLED', 'TABLE_NOT_FOUND'].includes(error.code)
        expect(isOfTable || ERROR_TRAITS[error.code].mayRetry, error.message).toBe(true)
      }
    }
  }
  return acknowledged
}

async function openTable(session: StoreUnderTest): Promise<boolean> {
  const { catalog, upkeep } = session.store
  if (!(await catalog.tableExists(TABLE, OWN_CALL))) return false
  if ((await catalog.tableState(TABLE, OWN_CALL)) === 'DISABLED') await catalog.enableTable(TABLE, OWN_CALL)
  for (const { name, closedReplicas } of await catalog.regions(TABLE, OWN_CALL))
    if (closedReplicas !== undefined) await upkeep.regions!.assignRegion(name, OWN_CALL)
  return true
}

async function isWritable(session: StoreUnderTest): Promise<boolean> {
  const { catalog } = session.store
  return (
    (await catalog.tableExists(TABLE, OWN_CALL)) &&
    (await catalog.tableState(TABLE, OWN_CALL)) === 'ENABLED' &&
    (await catalog.regions(TABLE, OWN_CALL)).every(({ closedReplicas }) => closedReplicas === undefined)
  )
}

/** What a crash leaves: all that the system has, or only what was synced, or that and all the rest. */
const CRASHES: Readonly<Record<string, (disk: CrashableFileSystem) => CrashableFileSystem>> = {
  killed: (disk) => disk.killed(),
  'only what was synced': (disk) => disk.powerLost(() => 0),
  'all bytes': (disk) => disk.powerLost(() => 0.9999),
}
const ENDS = Object.keys(CRASHES)

type Case = readonly [change: string, file: string, end: string, ManifestChange]

/** Each change with each of the files; the ends take turns. */
const CASES: readonly Case[] = MANIFEST_CHANGES.flatMap((change, index) =>
  FILES.map((file, which) => [change.name, file, ENDS[(index + which) % ENDS.length]!, change] as const),
)
/** Each change with one of the files. */
const HALF = CASES.filter((_, index) => index % 4 === 0 || index % 4 === 3)
/** Changes that take cells away with both files. */
const MOST = CASES.filter((known) => HALF.includes(known) || known[3].retires || known[3].empties)

const isInDoubt = (file: string) => (path: string) => path === file || path.endsWith('.new')

describe('a manifest whose disk fails every sync', () => {
  it.each(MOST)('%s, %s, %s: keeps what is answered', async (_, file, end, change) => {
    const disk = await prepared(change)
    const { session } = disk
    const before = (await isWritable(session)) ? await session.rows() : []
    disk.fails = isInDoubt(file)
    await change.run(session).catch((error: unknown) => expect(error).toMatchObject({ code: 'UNAVAILABLE' }))
    expect(await session.store.outage()).toContain('is in doubt')
    const acknowledged = await written(session, ['a0', 'z0'])
    if (change.retires) expect(acknowledged.filter((row) => row.startsWith('a'))).toEqual([])
    if (await isWritable(session)) expect(await session.rows()).toEqual(expect.arrayContaining(before))
    const next = await StoreUnderTest.open(OPTIONS, CRASHES[end]!(session.fileSystem))
    const rows = (await openTable(next)) ? await next.rows() : []
    expect(rows).toEqual(expect.arrayContaining(acknowledged))
    if (!change.empties) expect(rows).toEqual(expect.arrayContaining(before))
    expect(next.logged.filter((line) => line.startsWith('error'))).toEqual([])
  })

  it.each(HALF)('%s, %s, %s: is settled once the disk works again', async (_, file, end, change) => {
    const disk = await prepared(change)
    const { session } = disk
    disk.fails = isInDoubt(file)
    await change.run(session).catch(() => undefined)
    const refused = await written(session, ['a0', 'z0'])
    if (change.retires) expect(refused.length).toBeLessThan(4)
    disk.fails = () => false
    session.wake()
    for (let turns = 0; turns < 50; turns++) await nextTurn()
    if (await isWritable(session)) expect(await written(session, ['a1', 'z1'])).toHaveLength(4)
    expect(await session.store.outage()).toBeUndefined()
    await change.run(session)
    const view = await viewOf(session)
    const next = await StoreUnderTest.open(OPTIONS, CRASHES[end]!(session.fileSystem))
    expect(await viewOf(next)).toEqual(view)
    expect(next.paths('/s/lost+found')).toEqual([])
  })
})

describe('a manifest in doubt', () => {
  it('leaves no file of the changes and writes that it refuses', async () => {
    const disk = await prepared({ name: 'none', run: async () => undefined })
    const { session } = disk
    disk.fails = isInDoubt('/s/manifest')
    await expect(session.createTable(tableDescriptor(OTHER, tableOf('f').families))).rejects.toThrow()
    for (let i = 0; i < 300; i++) {
      const value = 'v'.repeat(100)
      await session.put([`r${i}`], { value })
      if (i % 30 === 0) await session.flush().catch(() => undefined)
    }
    expect(session.paths('/s/wal').length).toBeLessThanOrEqual(2)
    const files = session.paths('/s/data')
    disk.fails = () => false
    await session.flush()
    // Of each region a snapshot that a failed flush has left, and the memstore.
    expect(session.paths('/s/data').length).toBeLessThanOrEqual(files.length + 4)
    const next = await session.killed(OPTIONS)
    expect(await next.rows()).toHaveLength(308)
  })

  it('lets the log begin one file, not one for each write, while it may not be named', async () => {
    const disk = await prepared({ name: 'none', run: async () => undefined })
    const { session } = disk
    disk.fails = isInDoubt('/s/manifest')
    let refused = 0
    for (let i = 0; i < 300; i++)
      await session.put([`r${i}`], { value: 'v'.repeat(100) }).catch(() => refused++)
    expect(refused).toBeGreaterThan(200)
    expect(session.paths('/s/wal')).toHaveLength(2)
    expect(await session.rows()).toHaveLength(8 + 300 - refused)
    disk.fails = () => false
    await session.put(['z'])
    const rows = await session.rows()
    expect(await (await session.killed(OPTIONS)).rows()).toEqual(rows)
  })
})

it('a doubt is settled by the writes that it refuses, too, about once a second', async () => {
  const disk = await prepared(MANIFEST_CHANGES[0]!)
  const { session } = disk
  let attempts = 0
  disk.fails = (path) => isInDoubt('/s/manifest')(path) && ++attempts > 0
  await MANIFEST_CHANGES[0]!.run(session).catch(() => undefined)
  const BUSY = { code: 'REGION_TOO_BUSY' }
  const refused = async (times: number): Promise<void> => {
    for (let i = 0; i < times; i++) await expect(session.put(['a'])).rejects.toMatchObject(BUSY)
    for (let turns = 0; turns < 10; turns++) await nextTurn()
  }
  await refused(20)
  const before = attempts
  await refused(20)
  expect(attempts).toBe(before)
  session.time += 1000
  await refused(20)
  expect(attempts).toBe(before + 1)
  disk.fails = () => false
  session.time += 1000
  await refused(1)
  await expect(session.put(['a'])).resolves.toEqual([])
})

describe('a manifest of which the disk fails one sync', () => {
  it.each(HALF)('%s, %s, %s: is written anew, and no client notices', async (_, file, end, change) => {
    const disk = await prepared(change)
    const { session } = disk
    let faults = 0
    disk.fails = (path) => path === file && faults++ === 0
    await change.run(session)
    expect(faults).toBeGreaterThan(0)
    expect(await session.store.outage()).toBeUndefined()
    if (await isWritable(session)) await session.put(['a0', 'z0'], { durability: 'FSYNC_WAL' })
    const view = await viewOf(session)
    const next = await StoreUnderTest.open(OPTIONS, CRASHES[end]!(session.fileSystem))
    expect(await viewOf(next)).toEqual(view)
    expect(next.paths('/s/lost+found')).toEqual([])
  })
})

it('a doubt that the end of the store leaves undoes nothing: the next start may find the edit', async () => {
  const fileSystem = new CrashableFileSystem()
  let fails = false
  failSyncs(fileSystem, () => fails)
  const catalogLog = new CatalogLog(fileSystem, '/s', () => undefined)
  await catalogLog.open(() => 0.5)
  fails = true
  let undone = 0
  const error: unknown = await catalogLog
    .commit({ kind: 'namespace', name: 'n', properties: [] })
    .catch((cause: unknown) => cause)
  catalogLog.undo(error, () => undone++)
  await catalogLog.close()
  fails = false
  await expect(catalogLog.settle()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  expect(undone).toBe(0)
})
