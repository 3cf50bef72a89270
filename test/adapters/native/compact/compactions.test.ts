import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { DEFAULT_COMPACTION_OPTIONS } from '../../../../adapters/native/options/compaction-options.ts'
import { familyDescriptor, tableDescriptor } from '../../../../src/model/descriptor.ts'
import { ALL_VERSIONS } from '../../../../src/model/query.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { numbered, rest, StoreUnderTest, TABLE, tableOf } from '../store-under-test.ts'

/** Waits until no compaction runs or waits. */
async function quiet({ store }: StoreUnderTest): Promise<void> {
  while ((await store.upkeep.compactions!.compactionState(TABLE, OWN_CALL)) !== 'NONE') await nextTurn()
}

async function compact(session: StoreUnderTest, major = true): Promise<void> {
  await session.store.upkeep.compactions!.compactTable(TABLE, { major }, OWN_CALL)
  await quiet(session)
}

/** Flushes the table's only region, after which it may be compacted by itself. */
async function flushRegion({ store }: StoreUnderTest): Promise<void> {
  const [region] = await store.catalog.regions(TABLE, OWN_CALL)
  await store.upkeep.flushes!.flushRegion(region!.name, undefined, OWN_CALL)
}

async function metric({ store }: StoreUnderTest, name: string): Promise<number> {
  const readings = await store.metrics()
  return readings.find((reading) => reading.name === `tidegate_native_${name}`)!.samples[0]!.value
}

describe('a compaction that takes long', () => {
  it('tells how far it has come', async () => {
    const session = await StoreUnderTest.open()
    await session.createTable(tableOf('f'))
    for (const value of ['1', '2']) {
      await session.put(numbered(3000), { value })
      await session.flush()
    }
    let now = session.time
    Object.defineProperty(session, 'time', { get: () => (now += 31_000) })
    await compact(session)
    const lines = session.logged.filter((line) => line.startsWith('info: compacting region t,'))
    expect(lines.length).toBeGreaterThan(0)
    for (const line of lines) expect(line).toMatch(/: \d{1,3} %$/)
  })
})

describe('store files', () => {
  it('are compacted after the third flush, and the old ones are gone', async () => {
    const session = await StoreUnderTest.open()
    await session.createTable(tableOf('f'))
    for (const value of ['1', '2', '3']) {
      session.time++
      await session.put(['a', `b${value}`], { value })
      await flushRegion(session)
    }
    await quiet(session)
    expect(session.paths('/s/data')).toHaveLength(1)
    expect(await session.rows({ raw: true, maxVersions: ALL_VERSIONS })).toEqual([
      'a=3',
      'b1=1',
      'b2=2',
      'b3=3',
    ])
    expect(await metric(session, 'compactions_total')).toBe(1)
    expect(await metric(session, 'store_files')).toBe(1)
    const reopened = await session.killed()
    expect(await reopened.rows()).toEqual(['a=3', 'b1=1', 'b2=2', 'b3=3'])
    expect(reopened.paths('/s/data')).toHaveLength(1)
  })

  it('are left alone where the table forbids compactions', async () => {
    const session = await StoreUnderTest.open()
    const table = tableDescriptor(TABLE, [familyDescriptor('f')], [['COMPACTION_ENABLED', 'false']])
    await session.createTable(table)
    for (let i = 0; i < 4; i++) {
      await session.put([`r${i}`])
      await flushRegion(session)
    }
    await compact(session)
    expect(session.paths('/s/data')).toHaveLength(4)
  })

  it('whose cells have all expired go without being read', async () => {
    const session = await StoreUnderTest.open()
    await session.createTable(tableDescriptor(TABLE, [familyDescriptor('f', [['TTL', '10']])]))
    for (const row of ['a', 'b', 'c']) {
      await session.put([row])
      await session.flush()
      session.time += 6000
    }
    await compact(session, false)
    expect(session.paths('/s/data')).toHaveLength(1)
    expect(await metric(session, 'compactions_total')).toBe(0)
    expect(await session.rows()).toEqual(['c=v'])
  })

  it('with tags and without them become one', async () => {
    const session = await StoreUnderTest.open()
    await session.createTable(tableOf('f'))
    await session.put(['a'], { ttlMs: 5000 })
    await session.flush()
    await session.put(['b'])
    await session.flush()
    await compact(session)
    expect(session.paths('/s/data')).toHaveLength(1)
    expect(await session.rows()).toEqual(['a=v', 'b=v'])
    session.time += 5001
    expect(await session.rows()).toEqual(['b=v'])
  })

  it('of a scanner are read on after they were replaced', async () => {
    const session = await StoreUnderTest.open({ scanSliceCells: 3 })
    await session.createTable(tableOf('f'))
    await session.put(numbered(50))
    await session.flush()
    const scanner = await session.scanner()
    session.time++
    await session.put(numbered(50), { value: 'later' })
    await session.flush()
    await compact(session)
    expect(await rest(scanner, 7)).toEqual(numbered(50).map((row) => `${row}=v`))
    await scanner.close()
    expect(await session.rows({ limit: 1 })).toEqual(['r000000=later'])
  })

  it('stay as they were where a compaction fails, and the next one succeeds', async () => {
    const session = await StoreUnderTest.open()
    await session.createTable(tableOf('f'))
    for (const row of ['a', 'b']) {
      await session.put([row])
      await session.flush()
    }
    const before = session.paths('/s/data')
    session.fileSystem.failAppends({ after: 0, writtenBytes: 10 })
    await compact(session)
    expect(session.paths('/s/data')).toEqual(before)
    expect(session.logged.join()).toContain('compaction of region')
    expect(await metric(session, 'failed_compactions_total')).toBe(1)
    session.fileSystem.repair()
    await compact(session)
    expect(session.paths('/s/data')).toHaveLength(1)
    expect(await session.rows()).toEqual(['a=v', 'b=v'])
  })

  it('are not replaced where the table changes meanwhile', async () => {
    const session = await StoreUnderTest.open()
    await session.createTable(tableOf('f'))
    for (const value of ['1', '2']) {
      session.time++
      await session.put(['a'], { value })
      await session.flush()
    }
    await session.store.upkeep.compactions!.compactTable(TABLE, { major: true }, OWN_CALL)
    const more = tableDescriptor(TABLE, [familyDescriptor('f', [['VERSIONS', '5']])])
    await session.store.catalog.modifyTable(more, OWN_CALL)
    await quiet(session)
    expect(await session.rows({ maxVersions: ALL_VERSIONS })).toEqual(['a=2', 'a=1'])
  })

  it('of a table that is dropped meanwhile are no more', async () => {
    const session = await StoreUnderTest.open()
    await session.createTable(tableOf('f'))
    for (const row of ['a', 'b']) {
      await session.put([row])
      await session.flush()
    }
    const { catalog, upkeep } = session.store
    await upkeep.compactions!.compactTable(TABLE, { major: true }, OWN_CALL)
    await catalog.disableTable(TABLE, OWN_CALL)
    await catalog.deleteTable(TABLE, OWN_CALL)
    await session.createTable(tableOf('f'))
    await quiet(session)
    await session.store.close()
    expect(session.paths('/s/data')).toEqual([])
    expect(session.logged.filter((line) => line.startsWith('error'))).toEqual([])
  })
})

describe('a region with too many files', () => {
  const compaction = { ...DEFAULT_COMPACTION_OPTIONS, blockingFiles: 2, filesMin: 100, blockingWaitMs: 1000 }

  it('keeps its memstore until the wait is over, then flushes all the same', async () => {
    const session = await StoreUnderTest.open({ flushBytes: 1000, blockMultiplier: 1000, compaction })
    await session.createTable(tableOf('f'))
    for (const row of ['a', 'b', 'c']) {
      await session.put([row])
      await session.flush()
    }
    await session.put(numbered(20))
    await nextTurn()
    expect(session.paths('/s/data')).toHaveLength(3)
    session.time += 1000
    await session.put(['z'])
    await nextTurn()
    await session.store.close()
    expect(session.paths('/s/data').length).toBeGreaterThan(3)
  })

  it('flushes once a compaction has made fewer of them', async () => {
    const session = await StoreUnderTest.open({ flushBytes: 1000, blockMultiplier: 1000, compaction })
    await session.createTable(tableOf('f'))
    for (const row of ['a', 'b', 'c']) {
      await session.put([row])
      await session.flush()
    }
    await session.put(numbered(20))
    await nextTurn()
    expect(await metric(session, 'flushes_total')).toBe(3)
    await compact(session)
    // The flush is asked for by the compaction: a later one waits for it.
    await session.flush()
    expect(await metric(session, 'flushes_total')).toBeGreaterThanOrEqual(4)
    expect(await metric(session, 'memstore_bytes')).toBe(0)
  })
})
