/** Records of the log whose region is no more: those that store files have, or that were dropped, and those that would be lost. */

import { describe, expect, it } from 'vitest'
import { CatalogLog } from '../../../adapters/native/manifest/catalog-log.ts'
import type { ManifestEdit, RegionRecord } from '../../../adapters/native/manifest/manifest-edit.ts'
import { ownFileIds } from '../../../adapters/native/platform/own-files.ts'
import { familyDescriptor, tableDescriptor } from '../../../src/model/descriptor.ts'
import { MutationBatch } from '../../../src/model/mutation.ts'
import { parseTableName } from '../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import type { Store } from '../../../src/store/store.ts'
import { CrashableFileSystem } from '../../harness/simulation/crashable-file-system.ts'
import { compactTable } from '../../store/suite/store-under-test.ts'
import { checked, repaired, worst } from './inspect/damaged-store.ts'
import { StoreUnderTest, TABLE, tableOf } from './store-under-test.ts'

const OTHER = parseTableName('other')
const RECORDS = '/s/lost+found/records'

const errorsOf = ({ logged }: StoreUnderTest): string[] => logged.filter((line) => line.startsWith('error'))

/** Makes an edit behind the engine's back: what a manifest in doubt was in versions that went on writing. */
async function edited(
  fileSystem: CrashableFileSystem,
  editOf: (region: RegionRecord, catalogLog: CatalogLog) => ManifestEdit,
): Promise<void> {
  const catalogLog = new CatalogLog(fileSystem, '/s', () => undefined)
  await catalogLog.open(() => 0.5)
  const [region] = catalogLog.catalog.tables.get(TABLE)!.regions
  await catalogLog.commit(editOf(region!, catalogLog))
  await catalogLog.close()
}

/** A table whose region was split, by the manifest, at `m`, before the rows a and z were written to it. */
async function splitBefore(): Promise<CrashableFileSystem> {
  const session = await StoreUnderTest.open()
  await session.createTable(tableOf('f', 'g'))
  await session.put(['a', 'b', 'n'], { value: 'before' })
  await session.flush()
  await session.put(['a', 'z'], { value: 'lost' })
  await session.put(['a'], { family: 'g', value: 'lost' })
  const left = session.fileSystem.killed()
  await edited(left, (region, catalogLog) => {
    const heirOf = (startKey: string, endKey: string): RegionRecord => ({
      ...region,
      number: catalogLog.takeNumber(),
      regionId: region.regionId + 1,
      startKey: Buffer.from(startKey),
      endKey: Buffer.from(endKey),
      files: [],
    })
    const regions = [heirOf('', 'm'), heirOf('m', '')]
    return { kind: 'regions', table: TABLE, replaced: [region.number], regions }
  })
  return left
}

describe('records of the log of a region that has given way to others', () => {
  it('are set aside, reported once and in the health, and brought into the heirs by a repair', async () => {
    const session = await StoreUnderTest.open({}, await splitBefore())
    expect(await session.rows()).toEqual([])
    expect(errorsOf(session)).toEqual([
      expect.stringMatching(/2 records .* were set aside in .*records\/data/),
    ])
    expect(await session.store.troubles()).toEqual([expect.stringContaining('run `tidegate repair`')])
    await session.put(['a'], { value: 'later' })
    await session.flush()
    await session.put(['n'], { value: 'later' })
    const next = await session.killed()
    expect(errorsOf(next)).toEqual([])
    expect(await next.store.troubles()).toHaveLength(1)
    expect(next.paths(RECORDS)).toHaveLength(1)
    const left = next.fileSystem.killed()
    expect(worst(checked(left))).toEqual([
      expect.objectContaining({ severity: 'warning', path: expect.stringContaining(RECORDS) }),
    ])
    expect(await repaired(left, true)).not.toEqual([])
    await repaired(left)
    expect(worst(checked(left))).toEqual([])
    const mended = await StoreUnderTest.open({}, left)
    expect(await mended.rows()).toEqual(['a=later', 'a=lost', 'n=later', 'z=lost'])
    expect(await mended.store.troubles()).toEqual([])
    await mended.put(['z'], { value: 'newest' })
    expect(await (await mended.killed()).rows()).toEqual(['a=later', 'a=lost', 'n=later', 'z=newest'])
    expect(await repaired(mended.fileSystem.killed())).toEqual([])
  })

  it.each([1, 700, 1_000_000])('are brought into the heirs by pieces of %i bytes', async (pieceBytes) => {
    const { fileSystem } = await StoreUnderTest.open({}, await splitBefore())
    const left = fileSystem.killed()
    // A start that was killed sets its records aside once more.
    const [path] = left.paths().filter((name) => name.startsWith(RECORDS))
    left.replace(path!.replace('.log', '.2.log'), left.bytesOf(path!))
    const said = await repaired(left, false, { pieceBytes })
    const written = said.filter(
      (line) => line.includes('are written to file') || line.includes('is written to file'),
    )
    expect(written).toHaveLength({ 1: 6, 700: 4 }[pieceBytes] ?? 3)
    const mended = await StoreUnderTest.open({}, left)
    expect(await mended.rows()).toEqual(['a=lost', 'a=lost', 'z=lost'])
    await compactTable(mended.store, TABLE, { major: true })
    expect(await mended.rows()).toEqual(['a=lost', 'a=lost', 'z=lost'])
    expect(await mended.store.troubles()).toEqual([])
  })

  it('stay in the log where the disk has no room for them', async () => {
    const fileSystem = await splitBefore()
    fileSystem.failAppends({ after: 0, writtenBytes: 0 })
    const full = await StoreUnderTest.open({}, fileSystem)
    expect(errorsOf(full)).toContainEqual(expect.stringContaining('the log keeps them for the next start'))
    fileSystem.repair()
    await full.put(['c'])
    await full.flush()
    await full.store.close()
    const next = await StoreUnderTest.open({}, fileSystem.killed())
    expect(errorsOf(next)).toEqual([expect.stringMatching(/2 records .* were set aside/)])
    const left = next.fileSystem.killed()
    await repaired(left)
    expect(await (await StoreUnderTest.open({}, left)).rows()).toEqual(['a=lost', 'a=lost', 'c=v', 'z=lost'])
  })

  it('are set aside where the manifest does not know the region, as after an older one was put back', async () => {
    const session = await StoreUnderTest.open()
    await session.createTable(tableOf('f'))
    const files = ['/s/manifest', '/s/manifest.copy']
    const older = files.map((path) => Buffer.from(session.fileSystem.bytesOf(path)))
    await session.store.upkeep.regions!.splitTable(TABLE, Buffer.from('m'), OWN_CALL)
    await session.put(['a', 'z'])
    const left = session.fileSystem.killed()
    for (const [index, path] of files.entries()) left.replace(path, older[index]!)
    const next = await StoreUnderTest.open({}, left)
    expect(errorsOf(next)).toHaveLength(2)
    expect(next.paths(`${RECORDS}/unknown`)).toHaveLength(2)
    const said = await repaired(next.fileSystem.killed())
    expect(said).toEqual(Array(2).fill(expect.stringMatching(/^the records in .* stay there/)))
  })
})

/** Two regions, each with records in a log of its own, which have given way to one by the manifest. */
async function mergedBefore(): Promise<CrashableFileSystem> {
  const session = await StoreUnderTest.open({ wal: { logBytesMax: 100_000, syncEveryBytes: 50_000 } })
  await session.createTable(tableOf('f'), ['m'])
  await session.put(['a'], { value: 'x'.repeat(500_000) })
  await expect.poll(() => session.paths('/s/wal')).toHaveLength(2)
  const batch = new MutationBatch()
  for (const value of ['earlier', 'lost']) {
    batch.put(Buffer.from('z'), Buffer.from('f'), Buffer.from('q'), Buffer.from(value)).endMutation()
  }
  await session.store.rows.mutate(TABLE, batch, OWN_CALL)
  const left = session.fileSystem.killed()
  await edited(left, (region, catalogLog) => {
    const { regions } = catalogLog.catalog.tables.get(TABLE)!
    const [number, regionId] = [catalogLog.takeNumber(), region.regionId + 1]
    const heir = { ...region, number, regionId, endKey: Buffer.alloc(0), files: [] }
    const replaced = regions.map((candidate) => candidate.number)
    return { kind: 'regions', table: TABLE, replaced, regions: [heir] }
  })
  return left
}

describe('records of the log of several regions', () => {
  it('all stay in the log once some of them could not be set aside, and come back as they were', async () => {
    const fileSystem = await mergedBefore()
    fileSystem.failAppends({ after: 0, writtenBytes: 0 })
    const full = await StoreUnderTest.open({}, fileSystem)
    expect(errorsOf(full).filter((line) => line.includes('the log keeps them'))).toHaveLength(2)
    fileSystem.repair()
    await full.put(['c'])
    await full.flush()
    await full.store.close()
    const left = (await StoreUnderTest.open({}, fileSystem.killed())).fileSystem.killed()
    await repaired(left)
    const rows = await (await StoreUnderTest.open({}, left)).rows()
    expect(rows.map((row) => row.slice(0, 6))).toEqual(['a=xxxx', 'c=v', 'z=lost'])
  })
})

describe('a lost+found that the process may not read', () => {
  it('keeps no store from starting', async () => {
    const fileSystem = new CrashableFileSystem()
    const list = fileSystem.list.bind(fileSystem)
    fileSystem.makeDirectory('/s/lost+found')
    fileSystem.list = (path) => {
      if (path.includes('lost+found')) throw Object.assign(new Error('EACCES'), { code: 'EACCES' })
      return list(path)
    }
    const session = await StoreUnderTest.open({}, fileSystem)
    await session.createTable(tableOf('f'))
    expect(await ownFileIds(fileSystem, '/s')).not.toEqual(new Set())
    expect(await session.store.troubles()).toEqual([])
  })
})

describe('records of the log that no region needs', () => {
  it('are skipped: of dropped, truncated and split regions, and of families that are gone', async () => {
    let session = await StoreUnderTest.open()
    await session.createTable(tableOf('f', 'g'))
    await session.store.catalog.createTable(tableDescriptor(OTHER, [familyDescriptor('f')]), [], OWN_CALL)
    const changes: ((store: Store) => Promise<unknown>)[] = [
      ({ upkeep }) => upkeep.regions!.splitTable(TABLE, Buffer.from('m'), OWN_CALL),
      async ({ catalog, upkeep }) => {
        const [first] = await catalog.regions(TABLE, OWN_CALL)
        await upkeep.regions!.truncateRegion(first!.name, OWN_CALL)
      },
      ({ catalog }) => catalog.modifyTable(tableOf('f'), OWN_CALL),
      async ({ catalog }) => {
        await catalog.disableTable(TABLE, OWN_CALL)
        await catalog.truncateTable(TABLE, true, OWN_CALL)
      },
      async ({ catalog }) => {
        await catalog.disableTable(TABLE, OWN_CALL)
        await catalog.deleteTable(TABLE, OWN_CALL)
      },
    ]
    for (const change of changes) {
      await session.put(['a', 'z'])
      if (change !== changes[3] && change !== changes[4]) await session.put(['a', 'z'], { family: 'g' })
      // All logs stay for the sake of the other table.
      const batch = new MutationBatch()
      batch.put(Buffer.from('o'), Buffer.from('f'), Buffer.from('q'), Buffer.from('v'))
      batch.endMutation()
      await session.store.rows.mutate(OTHER, batch, OWN_CALL)
      await change(session.store)
      session = await session.killed()
      expect(errorsOf(session)).toEqual([])
      expect(session.logged.filter((line) => line.startsWith('warn'))).toEqual([])
      expect(session.paths('/s/lost+found')).toEqual([])
      expect(await session.rowsOf(OTHER)).toEqual(['o=v'])
    }
  })
})
