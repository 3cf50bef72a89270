/** Replication peers of a store that is made from a backup. */

import { create, toBinary } from '@bufbuild/protobuf'
import { expect, test } from 'vitest'
import { advertised } from '../../src/gateway/catalog/advertised.ts'
import { withPeers } from '../../src/gateway/policies/peers/with-peers.ts'
import { OWN_CALL } from '../../src/store/call.ts'
import { readPeer } from '../../src/store/peer-description.ts'
import type { ReplicationPeers } from '../../src/store/replication-peers.ts'
import type { Store } from '../../src/store/store.ts'
import { ReplicationPeerSchema } from '../../src/wire/rpc/gen/replication_pb.ts'
import { inWorld, openStore, type World } from './backup-world.ts'

const SERVER = { host: 'localhost', port: 1, startCode: 1 }

function peersOf(store: Store): ReplicationPeers {
  const parts = { peerClusterId: async () => 'target', keepBytesMax: 1000 }
  return withPeers(advertised(store, SERVER), store, parts).upkeep.peers!
}

async function enabledIn(peers: ReplicationPeers): Promise<boolean[]> {
  return (await peers.listPeers(OWN_CALL)).map((peer) => readPeer(peer).isEnabled)
}

async function inRestored(
  world: World,
  keepsIdentity: boolean,
  look: (store: Store) => Promise<void>,
): Promise<void> {
  const { name } = await world.create()
  await world.restore(name, 'restored', undefined, keepsIdentity)
  const { store } = await openStore(world.at('restored'))
  try {
    await look(store)
  } finally {
    await store.close()
  }
}

async function addPeer({ session }: World): Promise<void> {
  const config = Buffer.from(
    toBinary(ReplicationPeerSchema, create(ReplicationPeerSchema, { clusterkey: 'h:1:/hbase' })),
  )
  await peersOf(session.store).changePeer('1', { kind: 'ADD', config, isEnabled: true }, OWN_CALL)
}

test('a restored store with an identity of its own sends to no peer until an operator enables it', () =>
  inWorld(async (world) => {
    await addPeer(world)
    await inRestored(world, false, async (store) => {
      expect(await enabledIn(peersOf(store))).toEqual([false])
      await peersOf(store).changePeer('1', { kind: 'ENABLE' }, OWN_CALL)
      expect(await enabledIn(peersOf(store))).toEqual([true])
    })
    expect(await enabledIn(peersOf(world.session.store))).toEqual([true])
  }))

test('a restored store that keeps the identity keeps its peers enabled, and no log for them', () =>
  inWorld(async (world) => {
    await addPeer(world)
    await inRestored(world, true, async (store) => {
      expect(await enabledIn(peersOf(store))).toEqual([true])
      expect(await store.upkeep.changes!.logHolds(OWN_CALL)).toEqual([])
    })
  }))
