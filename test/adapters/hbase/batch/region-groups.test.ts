import { expect, test } from 'vitest'
import { RegionGroups } from '../../../../adapters/hbase/batch/region-groups.ts'
import type { LocatedRegion } from '../../../../adapters/hbase/cluster/meta-row.ts'
import { parseTableName } from '../../../../src/model/table-name.ts'
import { SERVER_A, SERVER_B } from '../cluster/fake-meta.ts'

function region(startKey: string, endKey: string, server = SERVER_A): LocatedRegion {
  return {
    table: parseTableName('t'),
    startKey: Buffer.from(startKey),
    endKey: Buffer.from(endKey),
    regionId: 1,
    name: Buffer.from(`t,${startKey},1`),
    encodedName: `encoded-${startKey}`,
    server,
    openSequenceId: 1,
  }
}

/** By server, by call, by region: the items. */
function outline(groups: RegionGroups): number[][][][] {
  return [...groups.calls()].map((calls) =>
    calls.map((call) => [...call.groups.values()].map(({ items }) => items)),
  )
}

const [A, M, Z] = [region('', 'm'), region('m', 'z', SERVER_B), region('z', '')]

test('items go by server and region, and keep their order there', () => {
  const groups = new RegionGroups()
  for (const [index, of] of [A, M, Z, A, M, A].entries()) groups.add(index, of, 10)
  expect(outline(groups)).toEqual([[[[0, 3, 5], [2]]], [[[1, 4]]]])
})

test('a region that has been located again is the same', () => {
  const groups = new RegionGroups()
  groups.add(0, A, 10)
  groups.add(1, Z, 10)
  groups.add(2, { ...A }, 10)
  expect(outline(groups)).toEqual([[[[0, 2], [1]]]])
})

test('items beyond the limit of a call go into the next one', () => {
  const groups = new RegionGroups()
  for (const [index, bytes] of [3_000_000, 1_000_000, 1_000_000, 9_000_000, 1].entries()) {
    groups.add(index, A, bytes)
  }
  expect(outline(groups)).toEqual([[[[0, 1]], [[2]], [[3]], [[4]]]])
  const many = new RegionGroups()
  for (let index = 0; index < 2_001; index++) many.add(index, A, 1)
  expect(outline(many)[0]!.map(([items]) => items!.length)).toEqual([2_000, 1])
})

test('neighbours are of the same region without being looked for', () => {
  const groups = new RegionGroups()
  expect(groups.regionOf(Buffer.from('a'))).toBeUndefined()
  groups.add(0, M, 10)
  expect(groups.regionOf(Buffer.from('m'))).toBe(M)
  expect(groups.regionOf(Buffer.from('l'))).toBeUndefined()
  expect(groups.regionOf(Buffer.from('z'))).toBeUndefined()
  groups.add(1, Z, 10)
  expect(groups.regionOf(Buffer.from('zz'))).toBe(Z)
})
