/** Regions that clients name one by one, such as to compact each: a table may have very many. */

import { expect, test } from 'vitest'
import { ServedRegions } from '../../../../src/doors/rpc/regions/served-regions.ts'
import type { AdvertisedCatalog, AdvertisedRegion } from '../../../../src/gateway/catalog/advertised.ts'
import { familyDescriptor, tableDescriptor } from '../../../../src/model/descriptor.ts'
import { parseTableName } from '../../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'

const TABLE = parseTableName('t')

test('a client that asks for one region of thousands looks at the others once, and has none made of them', async () => {
  let made = 0
  let looks = 0
  const locations = Array.from({ length: 2000 }, (_, index) => ({
    get encodedName(): string {
      looks++
      return `region${index}`
    },
    // Read where a region object is made, not where a region is searched.
    get regionId(): number {
      made++
      return 1
    },
  })) as unknown as AdvertisedRegion[]
  const catalog = {
    tableState: async () => 'ENABLED',
    table: async () => tableDescriptor(TABLE, [familyDescriptor('f')]),
    regions: async () => locations,
  } as unknown as AdvertisedCatalog
  const regions = new ServedRegions({ catalog })
  const named = { table: TABLE, encodedName: 'none', name: 't,,1.none.', replica: 0, copyOf: undefined }
  await expect(regions.readOnlyOf(named, OWN_CALL)).rejects.toMatchObject({ code: 'NOT_SERVING_REGION' })
  expect(made).toBe(0)
  for (let times = 1; times <= 5; times++) {
    const { code } = await regions.readOnlyOf({ ...named, encodedName: 'region1500' }, OWN_CALL)
    expect([code, made]).toEqual(['DO_NOT_RETRY', times])
  }
  // Once for the index, and once for the region that is made.
  expect(looks).toBe(2000 + 5)
})
