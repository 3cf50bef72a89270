/** A store whose changes go to its replication peers while it is open. */

import { userInfo } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { AdvertisedStore } from '../../gateway/catalog/advertised.ts'
import { readMetrics } from '../../model/metric.ts'
import { Replication } from '../../replication/replication.ts'
import { withFacets, withMethods } from '../../store/decorate.ts'
import type { PeerCluster } from '../../store/peer-cluster.ts'
import type { ReplicationSettings } from '../settings/replication-options.ts'
import type { StandbyPart } from './standby-part.ts'

/** The adapter is loaded with the first peer. */
export async function openPeer(clusterKey: string, ratio: number): Promise<PeerCluster> {
  const { openHBasePeer } = await import('../../../adapters/hbase/replicate/hbase-peer.ts')
  const user = process.env['HADOOP_USER_NAME'] ?? userInfo().username
  return openHBasePeer({ clusterKey, user, ratio, random: Math.random })
}

/** The id of the cluster of a key. Rejects where it cannot be asked. */
export async function peerClusterId(clusterKey: string): Promise<string> {
  const cluster = await openPeer(clusterKey, 1)
  try {
    return await cluster.clusterId(AbortSignal.timeout(ID_MS))
  } finally {
    await cluster.close()
  }
}

/** The longest time that adding a peer waits for the peer's ZooKeeper. */
const ID_MS = 20_000

/** The same store where it has no changes to send, or no peers. Closes it where its peers cannot be read. */
export async function replicatedStore(
  store: AdvertisedStore,
  settings: ReplicationSettings,
  logger: Logger,
  pair?: Pick<StandbyPart, 'isFollowing' | 'onPromoted'>,
): Promise<AdvertisedStore> {
  const { changes, peers, permissions } = store.upkeep
  if (changes === undefined || peers === undefined) return store
  const replication = new Replication(
    {
      store,
      changes,
      settings,
      openPeer: (clusterKey) => openPeer(clusterKey, settings.ratio),
      now: () => Date.now(),
      pause: pauseUntil,
      log: (level, message) => logger[level](message),
    },
    // The leader sends its changes itself.
    { listPeers: async (call) => (pair?.isFollowing === true ? [] : peers.listPeers(call)) },
  )
  pair?.onPromoted(() => replication.refresh())
  const metrics = replication.metrics()
  try {
    await replication.start()
  } catch (error) {
    await replication.stop()
    await store.close()
    throw error
  }
  const sending = withMethods(peers, {
    changePeer: async (peerId, change, call) => {
      if (change.kind !== 'ADD') {
        // A user who may not change peers must not interrupt what is sent to one.
        await permissions?.requireAdmin(call)
        await replication.leave(peerId)
      }
      try {
        await peers.changePeer(peerId, change, call)
      } finally {
        await replication.refresh()
      }
    },
    sourceLoads: async () => {
      await replication.look()
      return replication.sourceLoads()
    },
  })
  return {
    ...withFacets(store, { catalog: store.catalog, upkeep: { ...store.upkeep, peers: sending } }),
    metrics: async () => {
      await replication.look()
      return [...(await store.metrics()), ...readMetrics(metrics)]
    },
    troubles: async () => {
      await replication.look()
      return [...(await store.troubles()), ...replication.troubles()]
    },
    close: async () => {
      await replication.stop()
      await store.close()
    },
  }
}

async function pauseUntil(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await pause(ms, undefined, { signal })
  } catch {
    // The server stops, or the peer has changed.
  }
}
