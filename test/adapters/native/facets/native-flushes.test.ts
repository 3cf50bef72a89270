import { expect, it } from 'vitest'
import { OWN_CALL } from '../../../../src/store/call.ts'
import type { RegionLocation } from '../../../../src/store/catalog.ts'
import { StoreUnderTest, TABLE, tableOf } from '../store-under-test.ts'

async function withRegions(): Promise<{ session: StoreUnderTest; regions: readonly RegionLocation[] }> {
  const session = await StoreUnderTest.open()
  await session.createTable(tableOf('f', 'g'), ['m'])
  await session.put(['a', 'z'])
  return { session, regions: await session.store.catalog.regions(TABLE, OWN_CALL) }
}

it('a region is flushed by its name in full, or by its encoded name', async () => {
  const { session, regions } = await withRegions()
  const { flushes } = session.store.upkeep
  const first = regions[0]!.name
  expect(await flushes!.flushRegion(first, undefined, OWN_CALL)).toBe(true)
  expect(await flushes!.flushRegion(first, undefined, OWN_CALL)).toBe(false)
  const files = session.paths('/s/data')
  expect(files).toHaveLength(1)
  expect(files[0]).toContain(regions[0]!.encodedName)
  await flushes!.flushRegion(Buffer.from(regions[1]!.encodedName), Buffer.from('f'), OWN_CALL)
  expect(session.paths('/s/data')).toHaveLength(2)
  expect(await (await session.killed()).rows()).toEqual(['a=v', 'z=v'])
})

it('no region, and no family, is made up', async () => {
  const { session, regions } = await withRegions()
  const { flushes } = session.store.upkeep
  const [name] = regions.map((region) => region.name)
  const others = [
    Buffer.from('none'),
    Buffer.from(name!.subarray(0, -1)),
    Buffer.concat([Buffer.from('x'), name!]),
    Buffer.from(name!.toString('latin1').replace('t,', 'u,')),
  ]
  for (const other of others) {
    await expect(flushes!.flushRegion(other, undefined, OWN_CALL)).rejects.toMatchObject({
      code: 'ILLEGAL_ARGUMENT',
      message: expect.stringContaining('Invalid region: '),
    })
  }
  await expect(flushes!.flushRegion(name!, Buffer.from('x'), OWN_CALL)).rejects.toMatchObject({
    code: 'NO_SUCH_COLUMN_FAMILY',
  })
  expect(session.paths('/s/data')).toEqual([])
})
