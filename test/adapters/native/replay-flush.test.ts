import { expect, it } from 'vitest'
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
