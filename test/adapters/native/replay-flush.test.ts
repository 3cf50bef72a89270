import { expect, it } from 'vitest'
import { DEFAULT_SPLIT_OPTIONS } from '../../../adapters/native/options/split-options.ts'
import { familyDescriptor, tableDescriptor } from '../../../src/model/descriptor.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { numbered, StoreUnderTest, TABLE, tableOf } from './store-under-test.ts'

it('a flush in the middle of a replay loses nothing of the logs behind it', async () => {
  const wal = { logBytesMax: 600, syncEveryBytes: 10_000 }
  const session = await StoreUnderTest.open({ wal })
  await session.createTable(tableOf('f'), ['s'])
  const rows = numbered(40)
  for (const row of rows) await session.put([row])
  await session.put(['z'])
  // The other region is flushed last: its sequence id is greater than all in the logs.
  const regions = await session.store.catalog.regions(TABLE, OWN_CALL)
  await session.store.upkeep.flushes!.flushRegion(regions[1]!.name, undefined, OWN_CALL)
  expect(session.paths('/s/wal').length).toBeGreaterThan(2)
  const next = await session.killed({ wal, flushBytes: 100 })
  expect(await next.rows()).toEqual([...rows, 'z'].map((row) => `${row}=v`))
  await next.store.close()
})

it('a region that has grown large is not split before all logs are read', async () => {
  const wal = { logBytesMax: 2000, syncEveryBytes: 10_000 }
  const session = await StoreUnderTest.open({ wal })
  const family = familyDescriptor('f', [['BLOCKSIZE', '1024']])
  await session.createTable(tableDescriptor(TABLE, [family]))
  const rows = numbered(400)
  for (const row of rows) await session.put([row], { value: 'x'.repeat(100) })
  expect(session.paths('/s/wal').length).toBeGreaterThan(10)
  const split = { ...DEFAULT_SPLIT_OPTIONS, jitter: 0, fileBytesMax: 8000, initialBytes: 8000 }
  const next = await session.killed({ wal, split, flushBytes: 3000 })
  expect((await next.rows()).map((row) => row.slice(0, 7))).toEqual(rows)
  await expect.poll(async () => (await next.store.catalog.regions(TABLE, OWN_CALL)).length).toBeGreaterThan(1)
  expect((await next.rows()).map((row) => row.slice(0, 7))).toEqual(rows)
  await next.store.close()
})
