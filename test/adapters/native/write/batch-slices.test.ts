/** A batch over very many regions is stored some regions at a time. */

import { expect, it } from 'vitest'
import type { Region } from '../../../../adapters/native/region/region.ts'
import type { TargetRegions } from '../../../../adapters/native/region/target-regions.ts'
import { indexesByRegion, sliceEnd } from '../../../../adapters/native/write/batch-slices.ts'
import { MutationBatch } from '../../../../src/model/mutation.ts'
import { numbered, StoreUnderTest, tableOf } from '../store-under-test.ts'

/** Row rN is of region N modulo `regions`. */
function served(regions: number): TargetRegions {
  const known = Array.from({ length: regions }, (_, number) => ({ number }) as unknown as Region)
  const regionOf = (buffer: Buffer, offset: number, length: number): Region =>
    known[Number(buffer.toString('latin1', offset + 1, offset + length)) % regions]!
  return { regionOf } as unknown as TargetRegions
}

function puts(rows: readonly string[]): MutationBatch {
  const batch = new MutationBatch()
  for (const row of rows)
    batch.put(Buffer.from(row), Buffer.from('f'), Buffer.from('q'), Buffer.from('v')).endMutation()
  return batch
}

it.each([
  [1, 1],
  [100, 1],
  [101, 11],
  [1000, 11],
])(
  'a batch of 1,050 rows over %i regions has slices of 100 regions, and each row in one of them',
  (regions, atLeast) => {
    const batch = puts(numbered(1050))
    const found: number[] = []
    let slices = 0
    for (let start = 0; start < batch.length; slices++) {
      const { groups, end } = indexesByRegion(served(regions), batch, start, sliceEnd(batch, start), [])
      expect(groups.size).toBeLessThanOrEqual(100)
      const indexes = [...groups.values()].flat()
      for (const index of indexes) expect(index >= start && index < end).toBe(true)
      found.push(...indexes)
      start = end
    }
    expect(found.sort((a, b) => a - b)).toEqual(numbered(1050).map((_, index) => index))
    expect(slices).toBeGreaterThanOrEqual(atLeast)
  },
)

it('a put of a row into each of 1,000 regions lets others have their turn after each 100 of them', async () => {
  const session = await StoreUnderTest.open()
  const rows = numbered(1000)
  await session.createTable(tableOf('f'), rows.slice(1))
  let turns = 0
  let counting = setImmediate(function count() {
    turns++
    counting = setImmediate(count)
  })
  expect(await session.put(rows)).toEqual([])
  clearImmediate(counting)
  expect(turns).toBeGreaterThanOrEqual(9)
  expect(await session.rows()).toHaveLength(1000)
  await session.store.close()
})
