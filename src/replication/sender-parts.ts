/** Parts that the senders of all peers share. */

import type { Changes } from '../store/changes.ts'
import type { PeerCluster } from '../store/peer-cluster.ts'
import type { Store } from '../store/store.ts'

export interface SenderSettings {
  /** Bytes of cells in a request. HBase: replication.source.size.capacity. */
  readonly requestBytesMax: number
  /** Changes in a request. HBase: replication.source.nb.capacity. */
  readonly requestChangesMax: number
  /** The log is kept up to so many bytes for each peer. */
  readonly keepBytesMax: number
  /** Bytes a second of a peer that states no bandwidth; 0: no limit. HBase: replication.source.per.peer.node.bandwidth. */
  readonly bandwidth: number
  /** Changes of a table that is gone here and at the peer are left out. HBase: hbase.replication.drop.on.deleted.table. */
  readonly dropsDeletedTables: boolean
  /** HBase: hbase.replication.drop.on.deleted.columnfamily. */
  readonly dropsDeletedFamilies: boolean
}

export interface SenderParts {
  readonly store: Pick<Store, 'rows' | 'handouts' | 'catalog' | 'clusterId'>
  readonly changes: Changes
  readonly settings: SenderSettings
  readonly openPeer: (clusterKey: string) => Promise<PeerCluster>
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Resolves after the time, or at once where the signal aborts. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>
  readonly log: (level: 'info' | 'warn', message: string) => void
}
