import { fromBinary, toBinary } from '@bufbuild/protobuf'
import type { Call } from '../../../src/store/call.ts'
import type { PeerChange, ReplicationPeers } from '../../../src/store/replication-peers.ts'
import { MasterService } from '../../../src/wire/rpc/gen/master_pb.ts'
import { ProcedureSchema } from '../../../src/wire/rpc/gen/procedure_pb.ts'
import {
  ReplicationPeerDescriptionSchema,
  ReplicationPeerSchema,
  ReplicationState_State,
} from '../../../src/wire/rpc/gen/replication_pb.ts'
import { rpcMethod } from '../../../src/wire/rpc/rpc-method.ts'
import type { Master } from '../admin/master.ts'

const { method } = MasterService
const ADD = rpcMethod(method.addReplicationPeer)
const UPDATE = rpcMethod(method.updateReplicationPeerConfig)
const ENABLE = rpcMethod(method.enableReplicationPeer)
const DISABLE = rpcMethod(method.disableReplicationPeer)
const REMOVE = rpcMethod(method.removeReplicationPeer)
const LIST = rpcMethod(method.listReplicationPeers)
const LIST_CHANGES = rpcMethod(method.getReplicationPeerModificationProcedures)

/**
 * The replication peers of the cluster, which its master changes. Requests of peers have no nonce, so a repeated request may find its own
 * work done, as with Java's client.
 */
export class ClusterPeers implements ReplicationPeers {
  readonly #master: Master

  constructor(master: Master) {
    this.#master = master
  }

  changePeer(peerId: string, change: PeerChange, call: Call): Promise<void> {
    const what = `replication peer ${peerId}`
    switch (change.kind) {
      case 'ADD': {
        const state = change.isEnabled ? ReplicationState_State.ENABLED : ReplicationState_State.DISABLED
        const request = { peerId, peerConfig: configOf(change.config), peerState: { state } }
        return this.#master.change(what, ADD, call, () => request)
      }
      case 'UPDATE_CONFIG': {
        const request = { peerId, peerConfig: configOf(change.config) }
        return this.#master.change(what, UPDATE, call, () => request)
      }
      case 'ENABLE':
        return this.#master.change(what, ENABLE, call, () => ({ peerId }))
      case 'DISABLE':
        return this.#master.change(what, DISABLE, call, () => ({ peerId }))
      case 'REMOVE':
        return this.#master.change(what, REMOVE, call, () => ({ peerId }))
    }
  }

  async peerChanges(call: Call): Promise<Buffer[]> {
    const { procedure } = await this.#master.ask('changes of replication peers', LIST_CHANGES, {}, call)
    return procedure.map((each) => Buffer.from(toBinary(ProcedureSchema, each)))
  }

  async listPeers(call: Call): Promise<Buffer[]> {
    const { peerDesc } = await this.#master.ask('replication peers', LIST, {}, call)
    return peerDesc.map((peer) => Buffer.from(toBinary(ReplicationPeerDescriptionSchema, peer)))
  }
}

function configOf(config: Buffer): ReturnType<typeof fromBinary<typeof ReplicationPeerSchema>> {
  return fromBinary(ReplicationPeerSchema, config)
}
