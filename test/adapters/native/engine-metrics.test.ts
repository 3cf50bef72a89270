import { expect, test } from 'vitest'
import { get } from '../../../src/model/query.ts'
import { TimeRange } from '../../../src/model/time-range.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { StoreUnderTest, TABLE, tableOf } from './store-under-test.ts'

async function values({ store }: StoreUnderTest): Promise<Record<string, number>> {
  const readings = (await store.metrics()).filter(({ kind }) => kind !== 'histogram')
  const values = readings.map(({ name, samples }) => [
    name.replace('tidegate_native_', ''),
    samples[0]?.value,
  ])
  const { stage_seconds: _times, ...others } = Object.fromEntries(values.filter(([, value]) => value !== 0))
  return others
}

/** How often each stage was timed. */
async function stages({ store }: StoreUnderTest): Promise<Record<string, number>> {
  const readings = (await store.metrics()).filter(({ kind }) => kind === 'histogram')
  const counts = readings.flatMap(({ samples }) => samples.filter(({ part }) => part === 'count'))
  return Object.fromEntries(counts.map(({ labels, value }) => [labels!['stage'], value]))
}

test('the engine times its log, its flushes and its compactions', async () => {
  const engine = await StoreUnderTest.open()
  await engine.createTable(tableOf('f'))
  const before = await stages(engine)
  expect(before['flush']).toBeUndefined()
  await engine.put(['a'])
  await engine.put(['b'])
  expect((await stages(engine))['log_append']).toBe(before['log_append']! + 2)
  await engine.flush()
  expect(await stages(engine)).toMatchObject({ flush: 1 })
  await engine.store.close()
})

test('the engine tells what it holds, and what it has written and read', async () => {
  const engine = await StoreUnderTest.open()
  await engine.createTable(tableOf('f', 'g'), ['m'])
  const empty = await values(engine)
  expect(empty).toEqual({
    regions: 2,
    wal_files: 1,
    wal_bytes: empty['wal_bytes'],
    block_cache_max_bytes: 256 * 1024 * 1024,
  })
  await engine.put(['a', 'b', 'z'])
  const written = await values(engine)
  expect(written['memstore_bytes']).toBeGreaterThan(written['memstore_data_bytes']!)
  expect(written['wal_bytes']).toBeGreaterThan(empty['wal_bytes']!)
  await engine.flush()
  expect(await values(engine)).toMatchObject({ regions: 2, flushes_total: 2, store_files: 2 })
  expect(await values(engine)).not.toHaveProperty('memstore_bytes')
  await engine.rows()
  const cold = await values(engine)
  expect(cold['block_cache_misses_total']).toBeGreaterThan(0)
  expect(cold['block_cache_bytes']).toBeGreaterThan(0)
  await engine.rows()
  const warm = await values(engine)
  expect(warm['block_cache_hits_total']).toBeGreaterThan(cold['block_cache_hits_total'] ?? 0)
  expect(warm['block_cache_misses_total']).toBe(cold['block_cache_misses_total'])
  await engine.store.catalog.disableTable(TABLE, OWN_CALL)
  await engine.store.catalog.deleteTable(TABLE, OWN_CALL)
  expect(await values(engine)).not.toHaveProperty('regions')
  expect(await engine.store.outage()).toBeUndefined()
  await engine.store.close()
})

test('the engine tells how many surplus versions its memstores have dropped', async () => {
  const engine = await StoreUnderTest.open()
  await engine.createTable(tableOf('f'))
  for (let time = 0; time < 40; time++) {
    engine.time++
    await engine.put(['a'])
  }
  const { dropped_versions_total: dropped } = await values(engine)
  expect(dropped).toBeGreaterThanOrEqual(16)
  expect(dropped).toBeLessThan(40)
  await engine.store.close()
})

test('a read of a range of time reads nothing of the files that have only other times, not even their bloom filters', async () => {
  const engine = await StoreUnderTest.open()
  await engine.createTable(tableOf('f'))
  const blocksRead = async (): Promise<number> => {
    const { block_cache_hits_total: hits = 0, block_cache_misses_total: misses = 0 } = await values(engine)
    return hits + misses
  }
  for (const rows of [
    ['a', 'b'],
    ['a', 'c'],
  ]) {
    engine.time++
    await engine.put(rows)
    await engine.flush()
  }
  const timeRange = TimeRange.between(BigInt(engine.time + 1), BigInt(engine.time + 10))
  const before = await blocksRead()
  await engine.store.rows.get(TABLE, [get(Buffer.from('a'), { timeRange })], { bytes: 1 << 20 }, OWN_CALL)
  const row = Buffer.from('a')
  await engine.rows({ startRow: row, stopRow: row, includeStopRow: true, timeRange })
  expect(await blocksRead()).toBe(before)
  await engine.rows({ startRow: row, stopRow: row, includeStopRow: true })
  expect(await blocksRead()).toBeGreaterThan(before)
  await engine.store.close()
})
