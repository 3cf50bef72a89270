import { expect, test } from 'vitest'
import { valuesOf } from '../../gateway/metric-values.ts'
import { StoreUnderTest, TABLE, tableOf } from './store-under-test.ts'

function values({ store }: StoreUnderTest): Record<string, number> {
  const entries = Object.entries(valuesOf(store.metrics!))
  return Object.fromEntries(entries.map(([name, value]) => [name.replace('tidegate_native_', ''), value]))
}

test('the engine tells what it holds, and what it has written and read', async () => {
  const engine = await StoreUnderTest.open()
  await engine.store.createTable(tableOf('f', 'g'), [Buffer.from('m')])
  const empty = values(engine)
  expect(empty).toEqual({ regions: 2, wal_files: 1, wal_bytes: empty['wal_bytes'] })
  await engine.put(['a', 'b', 'z'])
  const written = values(engine)
  expect(written['memstore_bytes']).toBeGreaterThan(0)
  expect(written['wal_bytes']).toBeGreaterThan(empty['wal_bytes']!)
  await engine.store.flushTable(TABLE)
  expect(values(engine)).toMatchObject({ regions: 2, flushes_total: 2, store_files: 2 })
  expect(values(engine)).not.toHaveProperty('memstore_bytes')
  await engine.rows()
  const cold = values(engine)
  expect(cold['block_cache_misses_total']).toBeGreaterThan(0)
  expect(cold['block_cache_bytes']).toBeGreaterThan(0)
  await engine.rows()
  const warm = values(engine)
  expect(warm['block_cache_hits_total']).toBeGreaterThan(cold['block_cache_hits_total'] ?? 0)
  expect(warm['block_cache_misses_total']).toBe(cold['block_cache_misses_total'])
  await engine.store.disableTable(TABLE)
  await engine.store.deleteTable(TABLE)
  expect(values(engine)).not.toHaveProperty('regions')
  expect(engine.store.outage!()).toBeUndefined()
  await engine.store.close()
})
