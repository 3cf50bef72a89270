/** The state of the cluster that a store is by itself. */

import { expect, test } from 'vitest'
import { openMemoryStore } from '../../../adapters/memory/memory-store.ts'
import { openNativeStore } from '../../../adapters/native/open-native-store.ts'
import { advertised } from '../../../src/gateway/catalog/advertised.ts'
import { clusterOf } from '../../../src/gateway/catalog/own-cluster.ts'
import { withSystemTables } from '../../../src/gateway/catalog/system-tables/system-tables.ts'
import { readOnly } from '../../../src/gateway/policies/read-only.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import type { RegionLocation } from '../../../src/store/catalog.ts'
import type { Store } from '../../../src/store/store.ts'
import type { ClusterStatus, RegionLoad } from '../../../src/store/upkeep.ts'
import { CrashableFileSystem } from '../../harness/simulation/crashable-file-system.ts'
import { described } from '../../store/suite/described-table.ts'
import { bytes, flushTable, Session, TestClock } from '../../store/suite/store-under-test.ts'

const SERVER = { host: 'region.server', port: 16020, startCode: 7 }

function statusOf(store: Store): Promise<ClusterStatus> {
  return clusterOf(withSystemTables(advertised(store, SERVER), SERVER)).status(OWN_CALL)
}

function loadOf({ liveServers }: ClusterStatus, { name }: RegionLocation): RegionLoad | undefined {
  return liveServers[0]!.regions.find((region) => region.name.equals(name))
}

async function openSession(): Promise<Session> {
  const clock = new TestClock()
  const fileSystem = new CrashableFileSystem()
  const store = await openNativeStore({
    directory: '/store',
    fileSystem,
    clock,
    random: Math.random,
    options: {},
  })
  return new Session({ store, clock, close: () => store.close() }, 'as written')
}

test('tells of one server, with its regions in the order of their names', async () => {
  const session = await openSession()
  const { store } = session
  await store.catalog.createTable(described('t'), [bytes('m')], OWN_CALL)
  const status = await statusOf(store)
  expect(status).toMatchObject({
    clusterId: await store.clusterId(),
    hbaseVersion: '2.6.1',
    master: SERVER,
    deadServers: [],
  })
  expect(status.liveServers.map(({ server }) => server)).toEqual([SERVER])
  const names = status.liveServers[0]!.regions.map(({ name }) => name.toString('latin1').split(',')[0])
  expect(names).toEqual(['hbase:meta', 'hbase:namespace', 't', 't'])
  await store.close()
})

test('tells the sizes of memstores and files of the embedded engine', async () => {
  const session = await openSession()
  const { store, table } = session
  await store.catalog.createTable(described('t', { f: {}, g: {} }), [], OWN_CALL)
  const [region] = await store.catalog.regions(table, OWN_CALL)
  expect(loadOf(await statusOf(store), region!)).toMatchObject({
    stores: 2,
    storeFiles: 0,
    storeFileSizeMB: 0,
    staticIndexSizeKB: 0,
  })
  for (let i = 0; i < 3; i++) await session.put(`r${i}`, 'f:q', 'v'.repeat(1_000_000), 5n)
  expect(loadOf(await statusOf(store), region!)).toMatchObject({ memStoreSizeMB: 2, storeFiles: 0 })
  await flushTable(store, table)
  expect(loadOf(await statusOf(readOnly(store)), region!)).toMatchObject({
    storeFiles: 1,
    storeFileSizeMB: 2,
    staticIndexSizeKB: 1,
  })
  await store.close()
})

test('leaves out regions that are closed', async () => {
  const { store, table } = await openSession()
  await store.catalog.createTable(described('t'), [bytes('m')], OWN_CALL)
  const [first, second] = await store.catalog.regions(table, OWN_CALL)
  await store.upkeep.regions!.unassignRegion(first!.name, OWN_CALL)
  const status = await statusOf(store)
  expect(loadOf(status, first!)).toBeUndefined()
  expect(loadOf(status, second!)).toBeDefined()
  await store.catalog.disableTable(table, OWN_CALL)
  expect(loadOf(await statusOf(store), second!)).toBeUndefined()
  await store.close()
})

test('tells the requests of the embedded engine', async () => {
  const session = await openSession()
  const { store } = session
  await store.catalog.createTable(described('t', { f: {} }), [], OWN_CALL)
  for (const row of ['a', 'b', 'c']) await session.put(row, 'f:q', 'v', 5n)
  expect((await statusOf(store)).liveServers[0]).toMatchObject({ requests: 3, requestsPerSecond: 0 })
  await store.close()
})

test('tells the regions of a store that keeps no figures, with none', async () => {
  const store = openMemoryStore({ clock: new TestClock() })
  await store.catalog.createTable(described('t'), [], OWN_CALL)
  const [region] = await store.catalog.regions(described('t').name, OWN_CALL)
  const status = await statusOf(store)
  const load = loadOf(status, region!)!
  const kept = { name: region!.name, stores: 1, completedSequenceId: -1, storeSequenceIds: [] }
  const others = Object.keys(load).filter((name) => !(name in kept))
  expect(load).toEqual({ ...Object.fromEntries(others.map((name) => [name, 0])), ...kept })
  expect(status.liveServers[0]).toMatchObject({ requests: 0, requestsPerSecond: 0 })
  await store.close()
})
