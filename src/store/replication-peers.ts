import type { Call } from './call.ts'

/** `config`: a ReplicationPeer as protobuf, which is HBase's own form. */
export type PeerChange =
  | { readonly kind: 'ADD'; readonly config: Buffer; readonly isEnabled: boolean }
  | { readonly kind: 'UPDATE_CONFIG'; readonly config: Buffer }
  | { readonly kind: 'ENABLE' | 'DISABLE' | 'REMOVE' }

/** Changes of the clusters that a store replicates to. A store that does not replicate lacks this part. */
export interface ReplicationPeers {
  /** Resolves when the change is made. Throws DO_NOT_RETRY, with HBase's class, for a peer that is missing, is there already, or cannot be. */
  changePeer(peerId: string, change: PeerChange, call: Call): Promise<void>
  /** The changes that go on: each a Procedure as protobuf. */
  peerChanges(call: Call): Promise<Buffer[]>
  /** The peers, by id: each a ReplicationPeerDescription as protobuf. */
  listPeers(call: Call): Promise<Buffer[]>
  /** How far each peer is, as a ReplicationLoadSource in protobuf. Undefined for a store whose servers report that. */
  sourceLoads?(call: Call): Promise<Buffer[]>
}
