/** The work of a lookup in hbase:meta among thousands of regions, which a client makes for each of them. */

import { expect, test } from 'vitest'
import { openMemoryStore } from '../../../../adapters/memory/memory-store.ts'
import { type AdvertisedRegion, advertised } from '../../../../src/gateway/catalog/advertised.ts'
import { MetaRows } from '../../../../src/gateway/catalog/system-tables/meta-rows.ts'
import { familyDescriptor, tableDescriptor } from '../../../../src/model/descriptor.ts'
import { scan } from '../../../../src/model/query.ts'
import { parseTableName } from '../../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { withMethods } from '../../../../src/store/decorate.ts'

const SERVER = { host: 'localhost', port: 27103, startCode: 1_795_352_091_265 }
const TABLE = parseTableName('t')
const REGIONS = 4096
const notAsked = (): never => expect.unreachable()
const key = (region: number): string => String(region).padStart(5, '0')

test('looks at a few regions of thousands, and at no other table', async () => {
  const store = advertised(openMemoryStore({ clock: { now: () => 1000 } }), SERVER)
  const splits = Array.from({ length: REGIONS - 1 }, (_, i) => Buffer.from(key(i + 1)))
  await store.catalog.createTable(tableDescriptor(TABLE, [familyDescriptor('f')]), splits, OWN_CALL)
  let looks = 0
  const counted = (await store.catalog.regions(TABLE, OWN_CALL)).map(
    (region): AdvertisedRegion =>
      Object.defineProperty({ ...region }, 'name', {
        get: () => {
          looks++
          return region.name
        },
      }),
  )
  const catalog = withMethods(store.catalog, {
    regions: async () => counted,
    listTables: notAsked,
    listSystemTables: notAsked,
  })
  const rows = await new MetaRows(catalog, SERVER).scanned(
    scan({
      startRow: Buffer.from(`t,${key(1234)}5,99999999999999`),
      stopRow: Buffer.from('t,,'),
      reversed: true,
    }),
    OWN_CALL,
  )
  expect(rows.next().value.key.toString()).toMatch(/^t,01234,1000\./)
  expect(rows.next().value.key.toString()).toMatch(/^t,01233,1000\./)
  expect(looks).toBeLessThanOrEqual(2 * Math.log2(REGIONS) + 6)
  await store.close()
})

test('an address is put to a list of regions once', async () => {
  const memory = openMemoryStore({ clock: { now: () => 1000 } })
  await memory.catalog.createTable(tableDescriptor(TABLE, [familyDescriptor('f')]), [], OWN_CALL)
  const list = await memory.catalog.regions(TABLE, OWN_CALL)
  const { catalog } = advertised(
    Object.assign(memory, { catalog: withMethods(memory.catalog, { regions: async () => list }) }),
    SERVER,
  )
  const first = await catalog.regions(TABLE, OWN_CALL)
  expect(first).toMatchObject([{ table: TABLE, server: SERVER }])
  expect(await catalog.regions(TABLE, OWN_CALL)).toBe(first)
  await memory.close()
})
