/** Peers of a store whose changes can be read. The messages are those of a real HBase 2.6.1, asked by its shell. */

import { create, fromBinary, type MessageInitShape, toBinary } from '@bufbuild/protobuf'
import { beforeEach, expect, test } from 'vitest'
import { openMemoryStore } from '../../../../adapters/memory/memory-store.ts'
import { advertised } from '../../../../src/gateway/catalog/advertised.ts'
import { CONFIG, PEER_FAMILY, PEERS_TABLE, STATE } from '../../../../src/gateway/policies/peers/peer-rows.ts'
import { PEERS_MAX } from '../../../../src/gateway/policies/peers/stored-peers.ts'
import { withPeers } from '../../../../src/gateway/policies/peers/with-peers.ts'
import { MutationBatch } from '../../../../src/model/mutation.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { withFacets } from '../../../../src/store/decorate.ts'
import type { PeerChange, ReplicationPeers } from '../../../../src/store/replication-peers.ts'
import type { Store } from '../../../../src/store/store.ts'
import {
  type ReplicationPeerDescription,
  ReplicationPeerDescriptionSchema,
  ReplicationPeerSchema,
} from '../../../../src/wire/rpc/gen/replication_pb.ts'
import { FakeChanges } from '../../../replication/fake-changes.ts'

type Config = MessageInitShape<typeof ReplicationPeerSchema>

const KEY = 'zk1,zk2:2181:/hbase'
const OTHER = 'zk3:2181:/hbase'
const SERVER = { host: 'localhost', port: 1, startCode: 1 }

let own: Store
let changes: FakeChanges
let peers: ReplicationPeers

beforeEach(async () => {
  changes = new FakeChanges()
  const memory = openMemoryStore({ clock: Date })
  own = withFacets(memory, { upkeep: { ...memory.upkeep, changes } })
  peers = peersOf(own)
})

function peersOf(store: Store): ReplicationPeers {
  const peerClusterId = async (key: string): Promise<string> => {
    if (key.startsWith('away')) throw new Error('nothing answers')
    return key.endsWith('/self') ? store.clusterId() : 'another'
  }
  return withPeers(advertised(store, SERVER), store, { peerClusterId, keepBytesMax: 1000 }).upkeep.peers!
}

const bytesOf = (config: Config): Buffer =>
  Buffer.from(toBinary(ReplicationPeerSchema, create(ReplicationPeerSchema, config)))

function add(id: string, config: Config = { clusterkey: KEY }, isEnabled = true): Promise<void> {
  return peers.changePeer(id, { kind: 'ADD', config: bytesOf(config), isEnabled }, OWN_CALL)
}

function change(id: string, kind: 'ENABLE' | 'DISABLE' | 'REMOVE'): Promise<void> {
  return peers.changePeer(id, { kind }, OWN_CALL)
}

function update(config: Config): Promise<void> {
  const asked: PeerChange = { kind: 'UPDATE_CONFIG', config: bytesOf(config) }
  return peers.changePeer('1', asked, OWN_CALL)
}

async function listed(of = peers): Promise<ReplicationPeerDescription[]> {
  const found = await of.listPeers(OWN_CALL)
  return found.map((peer) => fromBinary(ReplicationPeerDescriptionSchema, peer))
}

const name = (
  table: string,
  namespace = 'default',
): NonNullable<Config['tableCfs']>[number]['tableName'] => ({
  namespace: Buffer.from(namespace),
  qualifier: Buffer.from(table),
})

test('a store without peers has no table of them, and the first peer makes it', async () => {
  expect(await listed()).toEqual([])
  await expect(peers.changePeer('1', { kind: 'REMOVE' }, OWN_CALL)).rejects.toThrow()
  expect(await own.catalog.tableExists(PEERS_TABLE, OWN_CALL)).toBe(false)
  await add('1')
  expect(await own.catalog.tableExists(PEERS_TABLE, OWN_CALL)).toBe(true)
})

test('a peer is kept with its settings, and found again by a server that starts later', async () => {
  const tableCfs = [{ tableName: name('t'), families: [Buffer.from('f')] }]
  const stated = { clusterkey: KEY, replicateAll: false, tableCfs, bandwidth: 5n, serial: true }
  await add('b', { ...stated, configuration: [{ name: 'k', value: 'v' }] }, false)
  await add('a', { clusterkey: OTHER })
  const found = await listed(peersOf(own))
  expect(found.map(({ id }) => id)).toEqual(['a', 'b'])
  expect(found[0]!.config).toMatchObject({
    clusterkey: OTHER,
    replicateAll: true,
    bandwidth: 0n,
    serial: false,
  })
  expect(found[1]).toMatchObject({
    state: { state: 1 },
    config: { replicateAll: false, bandwidth: 5n, serial: true },
  })
  expect(found[1]!.config!.configuration).toMatchObject([{ name: 'k', value: 'v' }])
  expect(found[1]!.config!.tableCfs).toHaveLength(1)
})

test('in a store of another cluster id, made from a backup, peers are disabled until one is enabled there', async () => {
  await add('1')
  await add('2')
  await add('3', undefined, false)
  const enabledAt = async (store: Store): Promise<boolean[]> =>
    (await listed(peersOf(store))).map(({ state }) => state!.state === 0)
  const restored: Store = { ...own, clusterId: async () => 'restored' }
  expect(await enabledAt(own)).toEqual([true, true, false])
  expect(await enabledAt(restored)).toEqual([false, false, false])
  const there = peersOf(restored)
  await there.changePeer('1', { kind: 'UPDATE_CONFIG', config: bytesOf({ clusterkey: KEY }) }, OWN_CALL)
  await there.changePeer('2', { kind: 'ENABLE' }, OWN_CALL)
  expect(await enabledAt(restored)).toEqual([false, true, false])
})

test('the log is held from the moment on at which a peer is added, and until it is removed', async () => {
  changes.made.length = 7
  await add('1')
  expect(changes.holds.get('replication-peer.1')).toMatchObject({ position: 7, keepBytesMax: 1000 })
  await peers.changePeer('1', { kind: 'DISABLE' }, OWN_CALL)
  expect(changes.holds.size).toBe(1)
  await peers.changePeer('1', { kind: 'REMOVE' }, OWN_CALL)
  expect(changes.holds.size).toBe(0)
  changes.made.length = 9
  await add('1')
  expect(changes.holds.get('replication-peer.1')).toMatchObject({ position: 9 })
})

test.each<readonly [string, Config, string]>([
  ['a-b', { clusterkey: KEY }, 'Found invalid peer name: a-b'],
  ['1', { clusterkey: 'bad' }, 'Invalid cluster key: bad: it must be HOSTS:PORT:/ZNODE'],
  ['1', { clusterkey: 'h:1:hbase' }, 'Invalid cluster key: h:1:hbase: it must be HOSTS:PORT:/ZNODE'],
  ['1', { clusterkey: 'h:x:/hbase' }, 'Invalid cluster key: h:x:/hbase: it must be HOSTS:PORT:/ZNODE'],
  ['1', { clusterkey: 'h:1:/hbase/' }, 'Invalid cluster key: h:1:/hbase/: it must be HOSTS:PORT:/ZNODE'],
  [
    '1',
    { clusterkey: 'h:1:/self' },
    'Invalid cluster key: h:1:/self, should not replicate to itself for HBaseInterClusterReplicationEndpoint',
  ],
  [
    '1',
    { clusterkey: 'away:1:/hbase' },
    "Can't get peerClusterId for clusterKey=away:1:/hbase: nothing answers",
  ],
  [
    '1',
    { clusterkey: KEY, replicationEndpointImpl: 'x.y.Z' },
    'Can not instantiate configured replication endpoint class=x.y.Z: Tidegate has no classes of Java',
  ],
  [
    '1',
    {
      clusterkey: KEY,
      configuration: [{ name: 'hbase.replication.source.custom.walentryfilters', value: 'x.Y,z.W' }],
    },
    'Configured WALEntryFilter x.Y could not be created. Failing add/update peer operation.',
  ],
  [
    '1',
    { clusterkey: KEY, namespaces: [Buffer.from('n')] },
    'Need clean namespaces or table-cfs config firstly when you want replicate all cluster',
  ],
  [
    '1',
    { clusterkey: KEY, replicateAll: false, excludeNamespaces: [Buffer.from('n')] },
    'Need clean exclude-namespaces or exclude-table-cfs config firstly when replicate_all flag is false',
  ],
  [
    '1',
    {
      clusterkey: KEY,
      replicateAll: false,
      namespaces: [Buffer.from('ns1')],
      tableCfs: [{ tableName: name('t', 'ns1') }],
    },
    'Table-cfs ns1:t is conflict with namespaces ns1 in peer config',
  ],
  [
    '1',
    { clusterkey: KEY, remoteWALDir: 'hdfs://x/y' },
    'Tidegate does not replicate synchronously: a peer with a remote WAL directory would not hold each write before its client is answered',
  ],
])('a peer %s with %j is refused', async (id, config, message) => {
  await expect(add(id, config)).rejects.toMatchObject({ code: 'DO_NOT_RETRY', message })
  expect(changes.holds.size).toBe(0)
})

test('changes of states are refused as HBase refuses them', async () => {
  for (const kind of ['ENABLE', 'DISABLE', 'REMOVE'] as const) {
    await expect(change('7', kind)).rejects.toMatchObject({
      message: '7',
      javaClass: 'org.apache.hadoop.hbase.ReplicationPeerNotFoundException',
    })
  }
  await add('2')
  await expect(add('2')).rejects.toThrow('Replication peer 2 already exists')
  await expect(change('2', 'ENABLE')).rejects.toThrow('Replication peer 2 has already been enabled')
  await change('2', 'DISABLE')
  await expect(change('2', 'DISABLE')).rejects.toThrow('Replication peer 2 has already been disabled')
  expect((await listed())[0]).toMatchObject({ state: { state: 1 } })
  await change('2', 'ENABLE')
  expect((await listed())[0]).toMatchObject({ state: { state: 0 } })
})

test('an update keeps the settings that it does not state, and the key', async () => {
  await add('1', {
    clusterkey: KEY,
    configuration: [
      { name: 'a', value: '1' },
      { name: 'b', value: '2' },
    ],
  })
  await update({ clusterkey: KEY, bandwidth: 9n, configuration: [{ name: 'b', value: '3' }] })
  const [peer] = await listed()
  expect(peer!.config).toMatchObject({
    bandwidth: 9n,
    configuration: [
      { name: 'a', value: '1' },
      { name: 'b', value: '3' },
    ],
  })
  await expect(update({ clusterkey: OTHER })).rejects.toThrow(
    `Changing the cluster key on an existing peer is not allowed. Existing key '${KEY}' for peer 1 does not match new key '${OTHER}'`,
  )
})

test('the number of peers is bounded', async () => {
  for (let id = 0; id < PEERS_MAX; id++) await add(String(id))
  await expect(add('more')).rejects.toThrow(`there are ${PEERS_MAX} replication peers`)
})

test('a hold that an interrupted addition has left does not move the begin of a later one', async () => {
  await changes.holdLog('replication-peer.1', 3, 1)
  changes.made.length = 7
  await add('1')
  expect(changes.holds.get('replication-peer.1')).toMatchObject({ position: 7 })
})

test('a damaged row is no peer, and the others stay', async () => {
  await add('1')
  const [family, config, state] = [PEER_FAMILY, CONFIG, STATE]
  const batch = new MutationBatch()
    .put(Buffer.from('0'), family, config, Buffer.from('x'))
    .put(Buffer.from('0'), family, state, Buffer.from('x'))
  batch.endMutation()
  expect(await own.rows.mutate(PEERS_TABLE, batch, OWN_CALL)).toEqual([])
  expect((await listed()).map(({ id }) => id)).toEqual(['1'])
})
