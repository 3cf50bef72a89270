import { expect, test } from 'vitest'
import { cachePolicyOf } from '../../../adapters/native/hfile/cache-policy.ts'
import { familyDescriptor, tableDescriptor } from '../../../src/model/descriptor.ts'
import { get } from '../../../src/model/query.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { compactTable } from '../../store/suite/store-under-test.ts'
import { numbered, StoreUnderTest, TABLE } from './store-under-test.ts'

const ROWS = numbered(700).map((row) => `${row}=v`)

type Areas = Readonly<Record<string, number>>

async function blocks(engine: StoreUnderTest): Promise<Areas> {
  const readings = await engine.store.metrics()
  const { samples } = readings.find(({ name }) => name === 'tidegate_native_block_cache_area_blocks')!
  return Object.fromEntries(samples.map(({ labels, value }) => [labels!['area']!, value]))
}

async function flushed(attributes: Readonly<Record<string, string>>): Promise<StoreUnderTest> {
  const engine = await StoreUnderTest.open()
  const family = familyDescriptor(
    'f',
    Object.entries({ BLOCKSIZE: '1024', BLOOMFILTER: 'NONE', ...attributes }),
  )
  await engine.createTable(tableDescriptor(TABLE, [family]))
  await engine.put(numbered(500))
  await engine.flush()
  return engine
}

test('blocks of a scan are kept as used once, and as used again after another', async () => {
  const engine = await flushed({})
  await engine.rows()
  const once = await blocks(engine)
  expect(once['single']).toBeGreaterThan(10)
  expect(once['multi']).toBe(0)
  await engine.rows()
  expect(await blocks(engine)).toEqual({ single: 0, multi: once['single'], memory: 0, outlines: 0 })
  await engine.store.close()
})

test('neither a scan nor a get that does not want its blocks cached leaves any', async () => {
  const engine = await flushed({})
  await engine.rows({ cacheBlocks: false })
  const limits = { bytes: 1 << 30 }
  await engine.store.rows.get(TABLE, [get(Buffer.from('r000100'), { cacheBlocks: false })], limits, OWN_CALL)
  expect(await blocks(engine)).toEqual({ single: 0, multi: 0, memory: 0, outlines: 0 })
  await engine.store.close()
})

test('a family with BLOCKCACHE false keeps no data blocks, until an alter', async () => {
  const engine = await flushed({ BLOCKCACHE: 'false' })
  await engine.rows()
  expect(await blocks(engine)).toEqual({ single: 0, multi: 0, memory: 0, outlines: 0 })
  const altered = familyDescriptor('f', [
    ['BLOCKSIZE', '1024'],
    ['BLOOMFILTER', 'NONE'],
    ['IN_MEMORY', 'true'],
  ])
  await engine.store.catalog.disableTable(TABLE, OWN_CALL)
  await engine.store.catalog.modifyTable(tableDescriptor(TABLE, [altered]), OWN_CALL)
  await engine.store.catalog.enableTable(TABLE, OWN_CALL)
  await engine.rows()
  const { single, multi, memory } = await blocks(engine)
  expect([single, multi]).toEqual([0, 0])
  expect(memory).toBeGreaterThan(10)
  await engine.store.close()
})

test('every codec and encoding is read back by gets and scans, after flush, compaction and restart', async () => {
  for (const [codec, encoding] of [
    ['SNAPPY', 'FAST_DIFF'],
    ['LZ4', 'DIFF'],
    ['ZSTD', 'PREFIX'],
    ['GZ', 'ROW_INDEX_V1'],
  ] as const) {
    const engine = await flushed({ COMPRESSION: codec, DATA_BLOCK_ENCODING: encoding })
    await engine.put(numbered(700))
    await engine.flush()
    expect(await engine.rows()).toEqual(ROWS)
    await compactTable(engine.store, TABLE, { major: true })
    expect(engine.paths('/s/data').filter((path) => /\/f\/[^/]+$/.test(path)).length).toBe(1)
    expect(await engine.rows()).toEqual(ROWS)
    const again = await engine.killed()
    expect(await again.rows()).toEqual(ROWS)
    await again.store.close()
  }
})

test('what is neither true nor false is false, as Java reads it', () => {
  const policies = [[], [['BLOCKCACHE', 'TRUE']], [['BLOCKCACHE', 'no']]] as [string, string][][]
  expect(policies.map((stated) => cachePolicyOf(familyDescriptor('f', stated)).cachesData)).toEqual([
    true,
    true,
    false,
  ])
})
