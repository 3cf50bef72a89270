/** The peers of a store that has changes to send: rows of hbase:replication. HBase: ReplicationPeerManager, ModifyPeerProcedure. */

import { create, fromBinary, isFieldSet, toBinary } from '@bufbuild/protobuf'
import { reasonOf } from '../../../model/error-reason.ts'
import { HBaseError } from '../../../model/errors.ts'
import { SerialQueue } from '../../../model/serial-queue.ts'
import { type Call, onOwnBehalf, toTheEnd } from '../../../store/call.ts'
import type { Changes } from '../../../store/changes.ts'
import { peerHold } from '../../../store/peer-hold.ts'
import type { PeerChange, ReplicationPeers } from '../../../store/replication-peers.ts'
import {
  ReplicationPeerDescriptionSchema,
  ReplicationPeerSchema,
  ReplicationState_State,
  SyncReplicationState_State,
} from '../../../wire/rpc/gen/replication_pb.ts'
import { checkPeerConfig, checkPeerId, refused, updatedConfig } from './check-peer.ts'
import type { PeerConfig, PeerTable, StoredPeer } from './peer-table.ts'

/** Peers of one store: each is a loop, a connection and a hold on the log. HBase has no limit. */
export const PEERS_MAX = 100

const REPLICATE_ALL = ReplicationPeerSchema.field.replicateAll

export interface StoredPeersOptions {
  readonly table: PeerTable
  readonly changes: Changes
  /** Of the store itself. */
  readonly clusterId: () => Promise<string>
  /** Asks the cluster of a key for its id. Rejects where it cannot be reached. */
  readonly peerClusterId: (clusterKey: string) => Promise<string>
  /** The log is kept up to so many bytes for each peer. */
  readonly keepBytesMax: number
}

export class StoredPeers implements ReplicationPeers {
  readonly #options: StoredPeersOptions
  readonly #changes = new SerialQueue()

  constructor(options: StoredPeersOptions) {
    this.#options = options
  }

  changePeer(peerId: string, change: PeerChange, call: Call): Promise<void> {
    // A change must not stop between the log and the table.
    const own = toTheEnd(onOwnBehalf(call))
    return this.#changes.run(() =>
      change.kind === 'ADD' ? this.#add(peerId, change, own) : this.#change(peerId, change, own),
    )
  }

  /** Changes are made at once: none goes on. */
  async peerChanges(): Promise<Buffer[]> {
    return []
  }

  async listPeers(call: Call): Promise<Buffer[]> {
    const peers = await this.#options.table.peers(onOwnBehalf(call))
    return peers.map(described)
  }

  async #add(id: string, change: PeerChange & { readonly kind: 'ADD' }, call: Call): Promise<void> {
    checkPeerId(id)
    const config = normalized(change.config)
    checkPeerConfig(config)
    await this.#checkClusterId(config)
    const { table, changes, keepBytesMax } = this.#options
    const peers = await table.peers(call)
    if (peers.some((peer) => peer.id === id)) throw refused(`Replication peer ${id} already exists`)
    if (peers.length >= PEERS_MAX)
      throw refused(`there are ${PEERS_MAX} replication peers, and no more are taken`)
    // A hold that an interrupted change has left would begin too early.
    await changes.releaseLog(peerHold(id), call)
    await changes.holdLog(peerHold(id), undefined, keepBytesMax, call)
    await table.put({ id, config, isEnabled: change.isEnabled }, call)
  }

  async #change(id: string, change: Exclude<PeerChange, { kind: 'ADD' }>, call: Call): Promise<void> {
    const { table, changes } = this.#options
    const updated = change.kind === 'UPDATE_CONFIG' ? normalized(change.config) : undefined
    if (updated !== undefined) checkPeerConfig(updated)
    const peer = (await table.peers(call)).find((each) => each.id === id)
    if (peer === undefined) {
      throw new HBaseError('DO_NOT_RETRY', id, {
        javaClass: 'org.apache.hadoop.hbase.ReplicationPeerNotFoundException',
      })
    }
    switch (change.kind) {
      case 'UPDATE_CONFIG':
        return table.put({ ...peer, config: updatedConfig(id, peer.config, updated!) }, call)
      case 'ENABLE':
        if (peer.isEnabled) throw refused(`Replication peer ${id} has already been enabled`)
        return table.put({ ...peer, isEnabled: true }, call)
      case 'DISABLE':
        if (!peer.isEnabled) throw refused(`Replication peer ${id} has already been disabled`)
        return table.put({ ...peer, isEnabled: false }, call)
      case 'REMOVE':
        await table.remove(id, call)
        await changes.releaseLog(peerHold(id), call)
    }
  }

  /** HBase: ReplicationPeerManager.checkClusterKey. */
  async #checkClusterId({ clusterkey }: PeerConfig): Promise<void> {
    const { clusterId, peerClusterId } = this.#options
    let other: string
    try {
      other = await peerClusterId(clusterkey)
    } catch (error) {
      throw refused(`Can't get peerClusterId for clusterKey=${clusterkey}: ${reasonOf(error)}`)
    }
    if (other === (await clusterId())) {
      throw refused(
        `Invalid cluster key: ${clusterkey}, should not replicate to itself for HBaseInterClusterReplicationEndpoint`,
      )
    }
  }
}

/** As HBase keeps it: each setting is stated. Throws DO_NOT_RETRY for bytes that are no ReplicationPeer. */
function normalized(bytes: Buffer): PeerConfig {
  const stated = fromBinary(ReplicationPeerSchema, bytes)
  const { configuration, data, tableCfs, namespaces, excludeTableCfs, excludeNamespaces } = stated
  if ([...tableCfs, ...excludeTableCfs].some(({ tableName }) => tableName === undefined))
    throw refused('a table of the peer has no name')
  return create(ReplicationPeerSchema, {
    clusterkey: stated.clusterkey,
    ...(stated.replicationEndpointImpl !== '' && {
      replicationEndpointImpl: stated.replicationEndpointImpl,
    }),
    data,
    configuration,
    tableCfs,
    namespaces,
    bandwidth: stated.bandwidth,
    // HBase: ReplicationPeerConfigUtil.convert, by which an old client's peer replicates all.
    replicateAll: isFieldSet(stated, REPLICATE_ALL) ? stated.replicateAll : true,
    excludeTableCfs,
    excludeNamespaces,
    serial: stated.serial,
    ...(stated.remoteWALDir !== '' && { remoteWALDir: stated.remoteWALDir }),
  })
}

function described({ id, config, isEnabled }: StoredPeer): Buffer {
  const description = create(ReplicationPeerDescriptionSchema, {
    id,
    state: { state: isEnabled ? ReplicationState_State.ENABLED : ReplicationState_State.DISABLED },
    config,
    syncReplicationState: { state: SyncReplicationState_State.NONE },
  })
  return Buffer.from(toBinary(ReplicationPeerDescriptionSchema, description))
}
