/** The figures of store files, compactions and reads in a region's load, after each kind of work. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { familyDescriptor, tableDescriptor } from '../../../../src/model/descriptor.ts'
import { MutationBatch } from '../../../../src/model/mutation.ts'
import { scan } from '../../../../src/model/query.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import type { RegionLoad } from '../../../../src/store/upkeep.ts'
import { compactTable } from '../../../store/suite/store-under-test.ts'
import { numbered, StoreUnderTest, TABLE } from '../store-under-test.ts'

/** Bytes of a value that compresses well. */
const VALUE_BYTES = 400
const VALUE = 'value '.repeat(VALUE_BYTES / 5).slice(0, VALUE_BYTES)
const ROWS = 12_000
/** Bounds of the size of so many rows without compression. */
const RAW_MB = { least: 4, most: 5 }

let session: StoreUnderTest

afterEach(() => session.store.close())

async function open(attributes: readonly (readonly [string, string])[] = []): Promise<void> {
  session = await StoreUnderTest.open()
  await session.createTable(tableDescriptor(TABLE, [familyDescriptor('f', attributes)]))
}

async function loads(): Promise<RegionLoad[]> {
  const found = await session.store.upkeep.loads!.regionLoads(OWN_CALL)
  return found.sort((a, b) => a.name.compare(b.name))
}

async function load(): Promise<RegionLoad> {
  const [only, ...others] = await loads()
  expect(others).toEqual([])
  return only!
}

async function putAndFlush(rows: readonly string[] = numbered(ROWS)): Promise<void> {
  for (let at = 0; at < rows.length; at += 1000)
    expect(await session.put(rows.slice(at, at + 1000), { value: VALUE })).toEqual([])
  await session.flush()
}

function expectRaw({ figures }: RegionLoad): void {
  expect(figures!.uncompressedSizeMB).toBeGreaterThanOrEqual(RAW_MB.least)
  expect(figures!.uncompressedSizeMB).toBeLessThanOrEqual(RAW_MB.most)
}

test('without compression the size of the files is their size before it', async () => {
  await open()
  expect((await load()).figures).toMatchObject({ uncompressedSizeMB: 0, regionSizeMB: 0, dataLocality: 0 })
  await putAndFlush()
  const found = await load()
  expectRaw(found)
  expect(found.storeFileSizeMB).toBe(found.figures!.uncompressedSizeMB)
  expect(found.figures).toMatchObject({ regionSizeMB: found.storeFileSizeMB, dataLocality: 1 })
})

test.each(['flush', 'minor compaction', 'major compaction'])(
  'a %s of compressed files has both sizes',
  async (work) => {
    await open([['COMPRESSION', 'GZ']])
    await putAndFlush()
    if (work !== 'flush') {
      await putAndFlush(['z'])
      await putAndFlush(['y'])
      await compactTable(session.store, TABLE, { major: work === 'major compaction' })
      expect((await load()).storeFiles).toBe(1)
    }
    const found = await load()
    expectRaw(found)
    expect(found.storeFileSizeMB).toBe(1)
    expect(found.figures!.regionSizeMB).toBe(1)
    expect(found.figures!.blocksTotalWeight).toBeGreaterThan(1000n)
    expect(found.figures!.blocksLocalWeight).toBe(found.figures!.blocksTotalWeight)
  },
)

test('halves of a split region have half the sizes each, and the time of the major compaction', async () => {
  await open([['COMPRESSION', 'GZ']])
  await putAndFlush()
  const compactedAt = session.time
  await compactTable(session.store, TABLE, { major: true })
  await session.store.upkeep.regions!.splitTable(TABLE, Buffer.from(numbered(ROWS)[ROWS / 2]!), OWN_CALL)
  const halves = await loads()
  expect(halves).toHaveLength(2)
  for (const half of halves) {
    expect(half.figures!.uncompressedSizeMB).toBeGreaterThanOrEqual(2)
    expect(half.figures!.uncompressedSizeMB).toBeLessThanOrEqual(3)
    expect(half.lastMajorCompaction).toBe(compactedAt)
  }
})

test('a restart has the same sizes and the same time of the last major compaction', async () => {
  await open([['COMPRESSION', 'GZ']])
  await putAndFlush()
  await compactTable(session.store, TABLE, { major: true })
  const before = await load()
  expect(before.lastMajorCompaction).toBe(session.time)
  const { fileSystem } = session
  await session.store.close()
  session = await StoreUnderTest.open({}, fileSystem)
  const after = await load()
  const { completedSequenceId, storeSequenceIds } = after
  expect(after).toEqual({
    ...before,
    readRequests: 0,
    writeRequests: 0,
    completedSequenceId,
    storeSequenceIds,
  })
})

test.each([
  ['ROW', numbered(ROWS).length],
  ['ROWCOL', numbered(ROWS).length],
])(
  'the sizes of a bloom filter of the type %s and of the index are those of the files',
  async (type, keys) => {
    await open([['BLOOMFILTER', type]])
    await putAndFlush()
    const found = await load()
    // HBase: BloomFilterUtil.computeBitSize, of an error rate of a hundredth: 9.6 bits a key, and chunks of 128 KB that are folded.
    expect(found.staticBloomSizeKB).toBeGreaterThanOrEqual(Math.floor((keys * 9.6) / 8 / 1024))
    expect(found.staticBloomSizeKB).toBeLessThan(256)
    expect(found.rootIndexSizeKB).toBeGreaterThanOrEqual(1)
    expect(found.storeFileIndexSizeKB).toBe(found.rootIndexSizeKB)
    expect(found.staticIndexSizeKB).toBeGreaterThanOrEqual(1)
  },
)

test('a family without a bloom filter has none of its bytes', async () => {
  await open([['BLOOMFILTER', 'NONE']])
  await putAndFlush(['a'])
  expect((await load()).staticBloomSizeKB).toBe(0)
})

test('the cells of a running compaction are counted up to their number, and gone once it has ended', async () => {
  await open()
  const rows = numbered(5000)
  await putAndFlush(rows)
  await putAndFlush(rows)
  const seen: number[] = []
  await session.store.upkeep.compactions!.compactTable(TABLE, { major: true }, OWN_CALL)
  for (;;) {
    const { compactingCells, compactedCells, figures } = await load()
    if (figures!.compactionState === 'NONE') break
    expect(figures!.compactionState).toBe('MAJOR')
    if (compactingCells > 0) {
      expect(compactingCells).toBe(2 * rows.length)
      expect(compactedCells).toBeLessThanOrEqual(compactingCells)
      seen.push(compactedCells)
    }
    await nextTurn()
  }
  expect(seen.filter((cells) => cells > 0 && cells < 2 * rows.length)).not.toEqual([])
  expect(seen).toEqual(seen.toSorted((a, b) => a - b))
  expect(await load()).toMatchObject({ compactingCells: 0, compactedCells: 0, storeFiles: 1 })
})

test('rows that a filter leaves out, and rows of which deletions have left nothing, are counted', async () => {
  await open()
  await putAndFlush(numbered(10))
  const comparator = { kind: 'SubstringComparator', substring: '5' } as const
  const filter = { kind: 'RowFilter', operator: 'EQUAL', comparator } as const
  expect(await session.rows()).toHaveLength(10)
  expect((await load()).figures!.filteredReadRequests).toBe(0n)
  expect(await session.rows({ filter })).toHaveLength(1)
  expect(await load()).toMatchObject({ readRequests: 11, figures: { filteredReadRequests: 9n } })
  const batch = new MutationBatch()
  batch.deleteRow(Buffer.from('r000003'))
  batch.endMutation()
  await session.store.rows.mutate(TABLE, batch, OWN_CALL)
  expect(await session.rows()).toHaveLength(9)
  expect(await load()).toMatchObject({ readRequests: 20, figures: { filteredReadRequests: 10n } })
})

test('an open scanner is a reader of the store files', async () => {
  await open()
  await putAndFlush(numbered(10))
  expect((await load()).figures!.storeReferences).toBe(0)
  const { id } = await session.store.rows.openScanner(TABLE, scan(), OWN_CALL)
  await session.store.handouts.next(id, { rows: 1, bytes: 1000, allowPartial: false }, OWN_CALL)
  expect((await load()).figures!.storeReferences).toBe(1)
  await session.store.handouts.closeScanner(id)
  expect((await load()).figures!.storeReferences).toBe(0)
})
