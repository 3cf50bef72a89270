/** Very many regions: what shows, counts, and looks after all of them. */

import { openScanner } from '../../src/gateway/reads/scanner.ts'
import { familyDescriptor, tableDescriptor } from '../../src/model/descriptor.ts'
import { META_TABLE } from '../../src/model/meta-table.ts'
import { MutationBatch } from '../../src/model/mutation.ts'
import { get, scan } from '../../src/model/query.ts'
import { OWN_CALL } from '../../src/store/call.ts'
import { batch, scans } from './asking.ts'
import { FAMILY, numbered, QUALIFIER, ROWS } from './attacked-table.ts'
import { gets } from './http-requests.ts'
import type { Attacked, HostileRequest, Scene } from './scene.ts'

/** The housekeeper's period and some. */
const HOUSEKEEPING_MS = 12_000

async function prepare(attacked: Attacked): Promise<void> {
  const { store, table, sizes } = attacked
  const splitKeys = Array.from({ length: sizes.regions - 1 }, (_, index) => numbered('r', index))
  await store.catalog.createTable(tableDescriptor(table, [familyDescriptor('f')]), splitKeys, OWN_CALL)
  const made = new MutationBatch()
  made.put(ROWS.small, FAMILY, QUALIFIER, QUALIFIER).endMutation()
  await store.rows.mutate(table, made, OWN_CALL)
}

function page(path: (attacked: Attacked) => string, accept?: string): HostileRequest {
  return web('web', path, accept)
}

function web(door: 'rest' | 'web', path: (attacked: Attacked) => string, accept?: string): HostileRequest {
  const shown = path({ table: 'TABLE' } as unknown as Attacked)
  return {
    name: `${door}: ${shown}${accept === undefined ? '' : ` as ${accept}`}`,
    send: (attacked) => gets(attacked, door, path(attacked), accept),
  }
}

function onTable(name: string, work: (attacked: Attacked) => Promise<unknown>): HostileRequest {
  return {
    name: `table of many regions: ${name}`,
    send: async (attacked) => {
      await work(attacked)
      return 'done'
    },
  }
}

const requests: readonly HostileRequest[] = [
  {
    name: 'scan: hbase:meta',
    send: (attacked) => scans({ ...attacked, table: META_TABLE }, {}),
  },
  {
    name: 'scan: hbase:meta, reversed, one row',
    send: async ({ store }) => {
      const scanner = await openScanner(store, META_TABLE, scan({ reversed: true }), OWN_CALL)
      const { results } = await scanner.next({ rows: 1, bytes: 1 << 20, allowPartial: false }, OWN_CALL)
      await scanner.close()
      return `${results.counts.length} rows`
    },
  },
  {
    name: 'get: a row of hbase:meta',
    send: async ({ store, table }) => {
      const gets = [get(Buffer.from(`${table},r0000001,1`))]
      const { counts } = await store.rows.get(META_TABLE, gets, { bytes: 1 << 20 }, OWN_CALL)
      return `${counts[0]} cells`
    },
  },
  page(() => '/'),
  page(() => '/metrics'),
  page(() => '/jmx'),
  page(() => '/master-status'),
  page(() => '/rs-status'),
  page(({ table }) => `/table.jsp?name=${table}`),
  page(() => '/console/api/overview'),
  page(() => '/console/api/load'),
  page(() => '/console/api/tables'),
  page(({ table }) => `/console/api/table?name=${table}`),
  page(({ table }) => `/console/api/compactions?name=${table}`),
  web('rest', ({ table }) => `/${table}/regions`, 'application/json'),
  web('rest', ({ table }) => `/${table}/regions`, 'text/xml'),
  web('rest', () => '/status/cluster', 'application/json'),
  web('rest', () => '/status/cluster', 'text/xml'),
  {
    name: 'nothing, while the housekeeper goes round',
    send: () => new Promise((resolve) => setTimeout(resolve, HOUSEKEEPING_MS, '')),
  },
  {
    name: 'put: a row into each region',
    send: (attacked) =>
      batch(attacked, (made) => {
        for (let i = 0; i < attacked.sizes.regions - 1; i++)
          made.put(numbered('r', i), FAMILY, QUALIFIER, QUALIFIER).endMutation()
      }),
  },
  {
    name: 'nothing, while the housekeeper goes round, again',
    send: () => new Promise((resolve) => setTimeout(resolve, HOUSEKEEPING_MS, '')),
  },
  {
    name: 'status of the cluster',
    send: async ({ store }) => {
      const status = await store.upkeep.cluster?.status(OWN_CALL)
      return `${status?.liveServers[0]?.regions.length} regions`
    },
  },
  { name: 'scan: all regions', send: (attacked) => scans(attacked, {}) },
  onTable('flush', ({ store, table }) => store.upkeep.flushes!.flushTable(table, OWN_CALL)),
  onTable('compact', ({ store, table }) =>
    store.upkeep.compactions!.compactTable(table, { major: true }, OWN_CALL),
  ),
  onTable('state of compactions', ({ store, table }) =>
    store.upkeep.compactions!.compactionState(table, OWN_CALL),
  ),
  onTable('snapshot', ({ store, table }) =>
    store.upkeep.snapshots!.createSnapshot('taken', table, 'FLUSH', OWN_CALL),
  ),
  onTable('alter', async ({ store, table }) =>
    store.catalog.modifyTable(tableDescriptor(table, [familyDescriptor('f', [['VERSIONS', '3']])]), OWN_CALL),
  ),
  onTable('disable', ({ store, table }) => store.catalog.disableTable(table, OWN_CALL)),
  onTable('enable', ({ store, table }) => store.catalog.enableTable(table, OWN_CALL)),
]

export const REGIONS_SCENE: Scene = {
  name: 'regions',
  args: ['--console-writes', 'true'],
  isOfHBase: false,
  prepare,
  requests,
}
