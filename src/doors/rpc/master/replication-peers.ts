/**
 * Replication peers. HBase: ReplicationPeerManager. A store that does not replicate has none, and refuses to add one: the operator would believe
 * that the peer receives changes. The peers of a cluster belong to its master.
 */

import { fromBinary, type MessageShape, toBinary } from '@bufbuild/protobuf'
import { compileJavaRegex } from '../../../filter/regex/java-regex.ts'
import { SearchBudget } from '../../../filter/regex/search-budget.ts'
import { HBaseError } from '../../../model/errors.ts'
import type { Call } from '../../../store/call.ts'
import type { PeerChange } from '../../../store/replication-peers.ts'
import { MasterService } from '../../../wire/rpc/gen/master_pb.ts'
import { ProcedureSchema } from '../../../wire/rpc/gen/procedure_pb.ts'
import {
  type ReplicationPeerDescription,
  ReplicationPeerDescriptionSchema,
  ReplicationPeerSchema,
  ReplicationState_State,
} from '../../../wire/rpc/gen/replication_pb.ts'
import { generated, type RpcHandler, type RpcRequest } from '../contract/rpc-service.ts'
import type { MasterContext } from './master-context.ts'
import { NO_NONCE } from './procedures.ts'

const { method } = MasterService
const NO_PEERS =
  'Tidegate does not replicate: a peer would never receive what is written here, so that none can be added'

export function replicationPeers(context: MasterContext): (readonly [string, RpcHandler])[] {
  return [...shown(context), ...changes(context)]
}

function shown({ store, switches }: MasterContext): (readonly [string, RpcHandler])[] {
  const known = async (call: Call): Promise<ReplicationPeerDescription[]> => {
    const all = (await store.upkeep.peers?.listPeers(call)) ?? []
    return all.map((peer) => fromBinary(ReplicationPeerDescriptionSchema, peer))
  }
  return [
    generated(method.listReplicationPeers, async ({ regex }, { call }) => {
      const peerDesc = await known(call)
      if (regex === '') return { peerDesc }
      const wanted = compileJavaRegex(regex, 0)
      const budget = new SearchBudget()
      return { peerDesc: peerDesc.filter(({ id }) => wanted.matches(id, budget)) }
    }),
    generated(method.getReplicationPeerConfig, async ({ peerId }, { call }) => {
      const peer = (await known(call)).find(({ id }) => id === peerId)
      return peer === undefined ? noPeer(peerId) : { peerId, peerConfig: peer.config! }
    }),
    generated(method.isReplicationPeerEnabled, async ({ peerId }, { call }) => {
      const peer = (await known(call)).find(({ id }) => id === peerId)
      // HBase: ReplicationPeerManager.getPeerState, which throws another exception than the others.
      if (peer === undefined) throw new HBaseError('REFUSED', `Replication Peer of ${peerId} does not exist.`)
      return { isEnabled: peer.state?.state === ReplicationState_State.ENABLED }
    }),
    generated(method.replicationPeerModificationSwitch, async ({ on }, { call }) => ({
      previousValue: await switches.turn('peerModification', on, call),
    })),
    generated(method.isReplicationPeerModificationEnabled, async (_, { call }) => ({
      enabled: await switches.isOn('peerModification', call),
    })),
    generated(method.getReplicationPeerModificationProcedures, async (_, { call }) => {
      const goingOn = (await store.upkeep.peers?.peerChanges(call)) ?? []
      return { procedure: goingOn.map((each) => fromBinary(ProcedureSchema, each)) }
    }),
  ]
}

function changes({ store, procedures, switches }: MasterContext): (readonly [string, RpcHandler])[] {
  const { peers } = store.upkeep
  // HBase checks the switch before it begins the procedure: HMaster.executePeerProcedure.
  const checkSwitch = async (call: Call): Promise<void> => {
    if (!(await switches.isOn('peerModification', call)))
      throw new HBaseError('REFUSED', 'Replication peer modification disabled')
  }
  const change = async (
    { $typeName, peerId }: { readonly $typeName: string; readonly peerId: string },
    asked: PeerChange,
    { call, release }: RpcRequest,
  ): Promise<{ procId: bigint }> => {
    await checkSwitch(call)
    const work = (own: Call): Promise<void> => peers?.changePeer(peerId, asked, own) ?? noPeer(peerId)
    return procedures.submit({ ...NO_NONCE, $typeName }, call, work, release.asksForResultsOfPeers)
  }
  return [
    generated(method.addReplicationPeer, async (message, request) => {
      const { peerConfig, peerState } = message
      const isEnabled = peerState?.state !== ReplicationState_State.DISABLED
      const added = { kind: 'ADD', config: configOf(peerConfig), isEnabled } as const
      if (peers !== undefined) return change(message, added, request)
      await checkSwitch(request.call)
      throw new HBaseError('UNSUPPORTED', NO_PEERS)
    }),
    generated(method.updateReplicationPeerConfig, (message, request) =>
      change(message, { kind: 'UPDATE_CONFIG', config: configOf(message.peerConfig) }, request),
    ),
    generated(method.removeReplicationPeer, (message, request) =>
      change(message, { kind: 'REMOVE' }, request),
    ),
    generated(method.enableReplicationPeer, (message, request) =>
      change(message, { kind: 'ENABLE' }, request),
    ),
    generated(method.disableReplicationPeer, (message, request) =>
      change(message, { kind: 'DISABLE' }, request),
    ),
  ]
}

function configOf(config: MessageShape<typeof ReplicationPeerSchema> | undefined): Buffer {
  return config === undefined ? Buffer.alloc(0) : Buffer.from(toBinary(ReplicationPeerSchema, config))
}

async function noPeer(peerId: string): Promise<never> {
  throw new HBaseError('DO_NOT_RETRY', peerId, {
    javaClass: 'org.apache.hadoop.hbase.ReplicationPeerNotFoundException',
  })
}
