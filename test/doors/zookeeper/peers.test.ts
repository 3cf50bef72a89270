/** Replication peers as znodes, which HBase's tools of replication read. */

import { create, fromBinary, toBinary } from '@bufbuild/protobuf'
import { expect, test } from 'vitest'
import { readZnode } from '../../../adapters/hbase/registry/znode-value.ts'
import { ZooKeeperClient } from '../../../adapters/hbase/zookeeper/zookeeper-client.ts'
import { withFacets } from '../../../src/store/decorate.ts'
import type { Store } from '../../../src/store/store.ts'
import {
  ReplicationPeerDescriptionSchema,
  ReplicationPeerSchema,
  ReplicationStateSchema,
} from '../../../src/wire/rpc/gen/replication_pb.ts'
import { startServer } from './zookeeper-server.ts'

test('peers have nodes with their config and state, as long as the store has them', async () => {
  let ids: readonly string[] = []
  const config = { clusterkey: 'zk:2181:/other' }
  const description = (id: string): Buffer => {
    const shape = create(ReplicationPeerDescriptionSchema, { id, state: { state: 1 }, config })
    return Buffer.from(toBinary(ReplicationPeerDescriptionSchema, shape))
  }
  const peers = {
    changePeer: async () => undefined,
    peerChanges: async () => [],
    listPeers: async () => ids.map(description),
  }
  const over = (store: Store): Store => withFacets(store, { upkeep: { ...store.upkeep, peers } })
  const server = await startServer({ over })
  const client = new ZooKeeperClient({
    servers: [{ host: '127.0.0.1', port: server.door.port }],
    tls: undefined,
    chroot: '/hbase',
    sessionTimeoutMs: 10_000,
    connectTimeoutMs: 10_000,
    requestTimeoutMs: 10_000,
    idleMs: 10_000,
    random: () => 0,
  })
  try {
    expect(await client.getChildren('/replication/peers')).toBeUndefined()
    expect(await client.getChildren('')).not.toContain('replication')
    ids = ['1', '2']
    expect(await client.getChildren('')).toContain('replication')
    expect([...(await client.getChildren('/replication/peers'))!].sort()).toEqual(['1', '2'])
    const node = await client.getData('/replication/peers/1')
    expect(fromBinary(ReplicationPeerSchema, readZnode(node!.data))).toMatchObject(config)
    const state = await client.getData('/replication/peers/1/peer-state')
    expect(fromBinary(ReplicationStateSchema, readZnode(state!.data)).state).toBe(1)
    ids = ['2']
    expect(await client.getData('/replication/peers/1')).toBeUndefined()
    expect(await client.getChildren('/replication/peers')).toEqual(['2'])
  } finally {
    await client.close()
    await server.stop()
  }
})
