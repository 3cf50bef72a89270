import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { DEFAULT_COMPACTION_OPTIONS } from '../../../../adapters/native/options/compaction-options.ts'
import {
  DEFAULT_NATIVE_OPTIONS,
  type NativeOptions,
} from '../../../../adapters/native/options/native-options.ts'
import { nativeSettings } from '../../../../adapters/native/options/native-settings.ts'
import type { SplitOptions } from '../../../../adapters/native/options/split-options.ts'
import { familyDescriptor, tableDescriptor } from '../../../../src/model/descriptor.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { CrashableFileSystem } from '../../../harness/simulation/crashable-file-system.ts'
import { numbered, rest, StoreUnderTest, TABLE } from '../store-under-test.ts'

const HEAP_BYTES = 2 ** 30
const PACKAGE = 'org.apache.hadoop.hbase.regionserver.'
const RESTRICTION = 'hbase.regionserver.region.split_restriction'

function split(options: Partial<SplitOptions>): Pick<NativeOptions, 'split'> {
  return { split: { ...DEFAULT_NATIVE_OPTIONS.split, jitter: 0, ...options } }
}

/** No compaction comes by itself, so that a test sees the halves of files; a region with halves still has its own. */
const FEW_COMPACTIONS = { compaction: { ...DEFAULT_COMPACTION_OPTIONS, filesMin: 100 } }

async function createSmallBlocks(
  session: StoreUnderTest,
  attributes: readonly (readonly [string, string])[] = [],
  splitKeys: readonly string[] = [],
): Promise<void> {
  const family = familyDescriptor('f', [['BLOCKSIZE', '1024']])
  await session.createTable(tableDescriptor(TABLE, [family], attributes), splitKeys)
}

async function startKeys({ store }: StoreUnderTest): Promise<string[]> {
  return (await store.catalog.regions(TABLE, OWN_CALL)).map(({ startKey }) => startKey.toString())
}

/** Waits until nothing is split or compacted any more. */
async function quiet(session: StoreUnderTest): Promise<void> {
  const { compactions } = session.store.upkeep
  for (let calm = 0; calm < 20; calm++) {
    await nextTurn()
    const before = await startKeys(session)
    if ((await compactions!.compactionState(TABLE, OWN_CALL)) !== 'NONE') calm = 0
    if ((await startKeys(session)).length !== before.length) calm = 0
  }
}

/** Flushes as a full memstore does, after which a region may be split. */
async function fill(session: StoreUnderTest, prefix: string, rows: number): Promise<void> {
  const value = 'x'.repeat(100)
  for (const row of numbered(rows)) await session.put([`${prefix}${row}`], { value })
  await quiet(session)
}

describe('a split', () => {
  it('without a row is made of cells that are only in memory, too', async () => {
    const session = await StoreUnderTest.open(FEW_COMPACTIONS)
    await createSmallBlocks(session)
    await session.put(numbered(100), { value: 'v' })
    const [region] = await session.store.catalog.regions(TABLE, OWN_CALL)
    await session.store.upkeep.regions!.splitRegion(region!.name, undefined, OWN_CALL)
    expect(await startKeys(session)).toHaveLength(2)
  })

  it('copies nothing: both halves have the parent’s file, until each has compacted its own', async () => {
    const session = await StoreUnderTest.open(FEW_COMPACTIONS)
    await createSmallBlocks(session)
    await session.put(numbered(100), { value: 'v' })
    await session.flush()
    const [parent] = session.paths('/s/data')
    const scanner = await session.scanner()
    const bytes = session.fileSystem.bytesOf(parent!)
    await session.store.upkeep.regions!.splitTable(TABLE, Buffer.from('r000050'), OWN_CALL)
    // The scanner reads the parent's file, which goes with it.
    const ofHalves = (): string[] => session.paths('/s/data').filter((path) => path !== parent)
    const linked = ofHalves().filter((path) => session.fileSystem.bytesOf(path) === bytes)
    expect(linked).toHaveLength(2)
    expect(await session.rows()).toEqual(numbered(100).map((row) => `${row}=v`))
    await quiet(session)
    const own = ofHalves()
    expect(own).toHaveLength(2)
    expect(own.map((path) => linked.includes(path))).toEqual([false, false])
    for (const path of own) expect(session.fileSystem.bytesOf(path).length).toBeLessThan(bytes.length)
    expect(session.paths('/s/data')).toContain(parent)
    expect(await rest(scanner)).toHaveLength(100)
    await scanner.close()
    await quiet(session)
    expect(session.paths('/s/data')).toEqual(own)
    expect(await session.rows({ reversed: true })).toHaveLength(100)
    const reopened = await session.killed()
    expect(await reopened.rows()).toHaveLength(100)
  })

  it('is in the middle of the largest file, on a disk without links too', async () => {
    const fileSystem = new CrashableFileSystem()
    fileSystem.hasLinks = false
    const session = await StoreUnderTest.open(FEW_COMPACTIONS, fileSystem)
    await createSmallBlocks(session)
    await session.put(numbered(10), { value: 'v' })
    await session.flush()
    await session.put(numbered(1000).slice(100), { value: 'v' })
    await session.flush()
    await session.store.upkeep.regions!.splitTable(TABLE, undefined, OWN_CALL)
    const [, middle] = await startKeys(session)
    expect(Number(middle!.slice(1))).toBeGreaterThan(500)
    expect(Number(middle!.slice(1))).toBeLessThan(600)
    expect(await session.rows()).toHaveLength(910)
  })

  it('after a merge gives a file to the halves that have rows of it, and to no other', async () => {
    const session = await StoreUnderTest.open(FEW_COMPACTIONS)
    await createSmallBlocks(session, [['COMPACTION_ENABLED', 'false']])
    const rows = ['r100', 'r300', 'r500', 'r700', 'r900']
    await session.put(rows, { value: 'v' })
    await session.flush()
    const { regions } = session.store.upkeep
    await regions!.splitTable(TABLE, Buffer.from('r457'), OWN_CALL)
    const halves = await session.store.catalog.regions(TABLE, OWN_CALL)
    await regions!.mergeRegions(
      halves.map(({ name }) => name),
      false,
      OWN_CALL,
    )
    expect(session.paths('/s/data')).toHaveLength(2)
    await regions!.splitTable(TABLE, Buffer.from('r677'), OWN_CALL)
    expect(await session.rows()).toEqual(rows.map((row) => `${row}=v`))
    // That of the rows below the first split has none above the second one.
    expect(session.paths('/s/data')).toHaveLength(3)
    expect(await (await session.killed()).rows()).toEqual(rows.map((row) => `${row}=v`))
  })

  it('of a region with a damaged file is refused, and changes nothing', async () => {
    const session = await StoreUnderTest.open(FEW_COMPACTIONS)
    await createSmallBlocks(session)
    await session.put(numbered(10), { value: 'v' })
    await session.flush()
    const [path] = session.paths('/s/data')
    session.fileSystem.replace(path!, Buffer.alloc(5000))
    const damaged = await session.killed(FEW_COMPACTIONS)
    const at = Buffer.from('r000005')
    await expect(damaged.store.upkeep.regions!.splitTable(TABLE, at, OWN_CALL)).rejects.toMatchObject({
      code: 'CORRUPTION',
    })
    expect(await startKeys(damaged)).toEqual([''])
    expect(damaged.paths('/s/data')).toEqual([path])
    await damaged.put(['r000005'], { value: 'w' })
  })

  it('keeps to the prefixes that the table’s policy or restriction names', async () => {
    const cases: [[string, string][], string][] = [
      [
        [
          ['SPLIT_POLICY', `${PACKAGE}KeyPrefixRegionSplitPolicy`],
          ['KeyPrefixRegionSplitPolicy.prefix_length', '5'],
        ],
        'r0002',
      ],
      [
        [
          ['SPLIT_POLICY', `${PACKAGE}KeyPrefixRegionSplitPolicy`],
          ['prefix_split_key_policy.prefix_length', '4'],
        ],
        'r000',
      ],
      [
        [
          ['SPLIT_POLICY', `${PACKAGE}DelimitedKeyPrefixRegionSplitPolicy`],
          ['DelimitedKeyPrefixRegionSplitPolicy.delimiter', '2'],
        ],
        'r000',
      ],
      [
        [
          [`${RESTRICTION}.type`, 'DelimitedKeyPrefix'],
          [`${RESTRICTION}.delimiter`, '02'],
        ],
        'r00',
      ],
    ]
    for (const [attributes, expected] of cases) {
      const session = await StoreUnderTest.open(FEW_COMPACTIONS)
      await createSmallBlocks(session, attributes)
      await session.put(numbered(499), { value: 'v' })
      await session.flush()
      await session.store.upkeep.regions!.splitTable(TABLE, undefined, OWN_CALL)
      expect(await startKeys(session)).toEqual(['', expected])
    }
    const session = await StoreUnderTest.open()
    await createSmallBlocks(session, [
      [`${RESTRICTION}.type`, 'KeyPrefix'],
      [`${RESTRICTION}.prefix_length`, '2'],
    ])
    await session.store.upkeep.regions!.splitTable(TABLE, Buffer.from('pqrs'), OWN_CALL)
    expect(await startKeys(session)).toEqual(['', 'pq'])
  })
})

describe('a region that has become large', () => {
  it('is split by itself: the only one of its table at twice its flush size', async () => {
    const session = await StoreUnderTest.open({ flushBytes: 8000, ...split({}) })
    await createSmallBlocks(session)
    await fill(session, 'a', 60)
    expect(await startKeys(session)).toHaveLength(1)
    await fill(session, 'b', 300)
    expect(await startKeys(session)).toHaveLength(2)
    expect(await session.rows()).toHaveLength(360)
  })

  it('stays whole while the split switch is off', async () => {
    const session = await StoreUnderTest.open({ flushBytes: 8000, ...split({}) })
    const { switches } = session.store.upkeep
    await createSmallBlocks(session)
    await switches!.turn('split', false, OWN_CALL)
    await fill(session, 'a', 360)
    expect(await startKeys(session)).toHaveLength(1)
    await switches!.turn('split', true, OWN_CALL)
    await fill(session, 'b', 100)
    expect((await startKeys(session)).length).toBeGreaterThan(1)
  })

  it('by the size that the table states, and by none of a table that forbids it', async () => {
    const constant = ['SPLIT_POLICY', `${PACKAGE}ConstantSizeRegionSplitPolicy`] as const
    const unchecked = ['hbase.table.sanity.checks', 'false'] as const
    for (const [attributes, regions] of [
      [[constant, unchecked, ['MAX_FILESIZE', '20000'] as const], 4],
      [[constant], 1],
      [[['SPLIT_ENABLED', 'false'] as const], 1],
      [[['SPLIT_POLICY', `${PACKAGE}DisabledRegionSplitPolicy`] as const], 1],
      [[['hbase.regionserver.region.split.policy', `${PACKAGE}DisabledRegionSplitPolicy`] as const], 1],
    ] as const) {
      const session = await StoreUnderTest.open({ flushBytes: 8000, ...split({}) })
      await createSmallBlocks(session, attributes)
      for (const prefix of ['a', 'b', 'c', 'd']) await fill(session, prefix, 150)
      const found = (await startKeys(session)).length
      if (regions === 1) expect(found).toBe(1)
      else expect(found).toBeGreaterThanOrEqual(regions)
      expect(await session.rows()).toHaveLength(600)
    }
  })

  it('by the settings of an hbase-site.xml', async () => {
    const ofPolicy = 'hbase.regionserver.region.split.policy'
    const stated = new Map([['hbase.hregion.max.filesize', '20000']])
    stated
      .set(ofPolicy, `${PACKAGE}ConstantSizeRegionSplitPolicy`)
      .set('hbase.hregion.max.filesize.jitter', '0')
      .set('hbase.hregion.max.filesize.limit', '1')
    const options = nativeSettings((key) => stated.get(key), HEAP_BYTES)
    const session = await StoreUnderTest.open({ flushBytes: 8000, ...options })
    await createSmallBlocks(session)
    await fill(session, 'a', 600)
    expect((await startKeys(session)).length).toBeGreaterThan(2)
    const named = `${ofPolicy} = "SteppingSplitPolicy" is invalid. It must be ${PACKAGE}`
    expect(() =>
      nativeSettings((key) => (key === ofPolicy ? 'SteppingSplitPolicy' : undefined), HEAP_BYTES),
    ).toThrow(named)
  })

  it('at a size that grows with the cube of the table’s regions, or not at all above the limit', async () => {
    const policy = 'IncreasingToUpperBoundRegionSplitPolicy'
    for (const [options, regions] of [
      [{ policy }, 2],
      [{ policy, regionsMax: 1 }, 1],
      [{ policy, initialBytes: 1_000_000 }, 1],
    ] as const) {
      const session = await StoreUnderTest.open({ flushBytes: 8000, ...split(options) })
      await createSmallBlocks(session)
      await fill(session, 'a', 400)
      expect(await startKeys(session)).toHaveLength(regions)
    }
  })

  it('not beyond the regions that the namespace may have, where quotas are on', async () => {
    const policy = 'IncreasingToUpperBoundRegionSplitPolicy'
    const properties = new Map([['hbase.namespace.quota.maxregions', '1']])
    for (const [keepsNamespaceLimits, regions] of [
      [true, 1],
      [false, 2],
    ] as const) {
      const session = await StoreUnderTest.open({
        flushBytes: 8000,
        ...split({ policy, keepsNamespaceLimits }),
      })
      await session.store.catalog.modifyNamespace({ name: 'default', properties }, OWN_CALL)
      await createSmallBlocks(session)
      await fill(session, 'a', 400)
      expect(await startKeys(session)).toHaveLength(regions)
    }
  })
})
