import { afterEach, beforeEach, expect, test } from 'vitest'
import { openMemoryStore } from '../../../../adapters/memory/memory-store.ts'
import { type AdvertisedStore, advertised } from '../../../../src/gateway/catalog/advertised.ts'
import { withSystemTables } from '../../../../src/gateway/catalog/system-tables/system-tables.ts'
import { withQuotas } from '../../../../src/gateway/policies/quotas/with-quotas.ts'
import { parseTableName, type TableName } from '../../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import type { Snapshots } from '../../../../src/store/snapshots.ts'
import { described } from '../../../store/suite/described-table.ts'
import { failure } from '../../../store/suite/store-under-test.ts'

const SERVER = { host: 'localhost', port: 27103, startCode: 1 }
const [T, U] = ['ns:t', 'ns:u'].map(parseTableName) as [TableName, TableName]
const TABLES = 'hbase.namespace.quota.maxtables'
const REGIONS = 'hbase.namespace.quota.maxregions'
const TAKEN = {
  name: 's',
  table: T,
  type: 'FLUSH',
  createdAt: 1,
  timeToLiveSeconds: 0n,
  maxFileBytes: 0n,
  owner: '',
  regions: 4,
} as const

let store: AdvertisedStore
/** The snapshots that were restored or cloned. */
let made: string[]

beforeEach(async () => {
  made = []
  const memory = openMemoryStore({ clock: { now: () => Date.now() } })
  const snapshots: Partial<Snapshots> = {
    listSnapshots: async () => [TAKEN],
    cloneSnapshot: async (name) => void made.push(`clone ${name}`),
    restoreSnapshot: async (name) => void made.push(`restore ${name}`),
  }
  const own = { ...memory, upkeep: { ...memory.upkeep, snapshots: snapshots as Snapshots } }
  store = await withQuotas(withSystemTables(advertised(own, SERVER), SERVER), memory)
  await store.catalog.createNamespace({ name: 'ns', properties: new Map() }, OWN_CALL)
})

afterEach(() => store.close())

function limit(...properties: [string, string][]): Promise<void> {
  return store.catalog.modifyNamespace({ name: 'ns', properties: new Map(properties) }, OWN_CALL)
}

function create(table: TableName, ...keys: string[]): Promise<void> {
  const split = keys.map((key) => Buffer.from(key))
  return store.catalog.createTable(described(table), split, OWN_CALL)
}

test('a namespace takes as many tables as it may, also of those that are made at once', async () => {
  await limit([TABLES, '1'])
  const ends = await Promise.allSettled([create(T), create(U)])
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
  expect(await failure(create(U))).toBe(
    'DO_NOT_RETRY: The table ns:u cannot be created as it would exceed maximum number of tables allowed  in the ' +
      'namespace.  The total number of tables permitted is 1',
  )
  await expect(create(U)).rejects.toMatchObject({
    javaClass: 'org.apache.hadoop.hbase.quotas.QuotaExceededException',
  })
  expect(await failure(create(T))).toBe('TABLE_EXISTS: ns:t')
  await store.catalog.createTable(described('elsewhere'), [], OWN_CALL)
})

test('and as many regions', async () => {
  await limit([REGIONS, '3'])
  await create(T, 'm')
  expect(await failure(create(U, 'm'))).toBe(
    'DO_NOT_RETRY: The table ns:u is not allowed to have 2 regions. The total number of regions permitted is only 3, ' +
      'while current region count is 2. This may be transient, please retry later if there are any ongoing split ' +
      'operations in the namespace.',
  )
  const { regions } = store.upkeep
  const [first, second] = await store.catalog.regions(T, OWN_CALL)
  await regions!.splitRegion(first!.name, Buffer.from('c'), OWN_CALL)
  const split = (name: Buffer): Promise<string> =>
    failure(regions!.splitRegion(name, Buffer.from('t'), OWN_CALL))
  const refusal = `DO_NOT_RETRY: Region split not possible for :${second!.encodedName} as quota limits are exceeded `
  expect(await split(second!.name)).toBe(refusal)
  expect(await split(Buffer.from(second!.encodedName))).toBe(refusal)
  expect(await failure(regions!.splitTable(T, Buffer.from('t'), OWN_CALL))).toMatch(
    /Region split not possible/,
  )
  await limit([REGIONS, '4'])
  await regions!.splitRegion(second!.name, Buffer.from('t'), OWN_CALL)
  expect(await store.catalog.regions(T, OWN_CALL)).toHaveLength(4)
})

test('and those of snapshots', async () => {
  const { snapshots } = store.upkeep
  await limit([REGIONS, '4'])
  await create(T)
  await snapshots!.restoreSnapshot('s', OWN_CALL)
  expect(await failure(snapshots!.cloneSnapshot('s', U, OWN_CALL))).toMatch(
    /is not allowed to have 4 regions/,
  )
  await create(U)
  expect(await failure(snapshots!.restoreSnapshot('s', OWN_CALL))).toBe(
    'DO_NOT_RETRY: The table ns:t region count cannot be updated as it would exceed maximum number of regions allowed ' +
      'in the namespace.  The total number of regions permitted is 4',
  )
  await limit()
  await snapshots!.cloneSnapshot('s', U, OWN_CALL)
  expect(made).toEqual(['restore s', 'clone s'])
})
