/** Features that HBase has switched off unless its settings say otherwise, and its answers then. */

import { fromBinary } from '@bufbuild/protobuf'
import { compileJavaRegex } from '../../../filter/regex/java-regex.ts'
import { SearchBudget } from '../../../filter/regex/search-budget.ts'
import { HBaseError } from '../../../model/errors.ts'
import type { Call } from '../../../store/call.ts'
import { MasterService } from '../../../wire/rpc/gen/master_pb.ts'
import {
  type ReplicationPeerDescription,
  ReplicationPeerDescriptionSchema,
  ReplicationState_State,
} from '../../../wire/rpc/gen/replication_pb.ts'
import { generated, type RpcHandler, type RpcRequest } from '../rpc-service.ts'
import type { MasterContext } from './master-context.ts'

const { method } = MasterService
const NO_PEERS =
  'Tidegate does not replicate: a peer would never receive what is written here, so that none can be added'
const PEERS_OF_CLUSTER =
  'the cluster behind Tidegate replicates by itself: its peers are added and changed at the cluster'
const NO_NONCE = { nonceGroup: 0n, nonce: 0n }
const RESPONSE_PACKAGE = 'org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos$'

export function absentFeatures(context: MasterContext): (readonly [string, RpcHandler])[] {
  return [...peers(context), ...logs()]
}

/**
 * HBase: ReplicationPeerManager. Tidegate does not replicate, and a peer that is kept would look as if it did. The peers of a cluster behind
 * it are told, and changed at the cluster itself.
 */
function peers({ store, procedures, switches }: MasterContext): (readonly [string, RpcHandler])[] {
  const known = async (call: Call): Promise<ReplicationPeerDescription[]> => {
    const all = (await store.upkeep.cluster?.replicationPeers(call)) ?? []
    return all.map((peer) => fromBinary(ReplicationPeerDescriptionSchema, peer))
  }
  const unchanged = async (peerId: string, call: Call): Promise<never> => {
    const isKnown = (await known(call)).some(({ id }) => id === peerId)
    return isKnown ? Promise.reject(unsupported(PEERS_OF_CLUSTER)) : noPeer(peerId)
  }
  // HBase looks at it before it begins the procedure: HMaster.executePeerProcedure.
  const checkSwitch = async (call: Call): Promise<void> => {
    if (store.upkeep.cluster === undefined && !(await switches.isOn('peerModification', call)))
      throw new HBaseError('REFUSED', 'Replication peer modification disabled')
  }
  const change = async (peerId: string, { call, release }: RpcRequest): Promise<{ procId: bigint }> => {
    await checkSwitch(call)
    return procedures.submit(NO_NONCE, call, (own) => unchanged(peerId, own), release.asksForResultsOfPeers)
  }
  return [
    generated(method.listReplicationPeers, async ({ regex }, { call }) => {
      const peerDesc = await known(call)
      if (regex === '') return { peerDesc }
      const wanted = compileJavaRegex(regex, 0)
      const budget = new SearchBudget()
      return { peerDesc: peerDesc.filter(({ id }) => wanted.matches(id, budget)) }
    }),
    generated(method.addReplicationPeer, async (_, { call }) => {
      await checkSwitch(call)
      throw unsupported(store.upkeep.cluster === undefined ? NO_PEERS : PEERS_OF_CLUSTER)
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
    // A change that goes on is one that adds or changes a peer, and Tidegate makes none.
    generated(method.getReplicationPeerModificationProcedures, async () => ({})),
    generated(method.removeReplicationPeer, ({ peerId }, request) => change(peerId, request)),
    generated(method.enableReplicationPeer, ({ peerId }, request) => change(peerId, request)),
    generated(method.disableReplicationPeer, ({ peerId }, request) => change(peerId, request)),
    generated(method.updateReplicationPeerConfig, ({ peerId }, request) => change(peerId, request)),
  ]
}

async function noPeer(peerId: string): Promise<never> {
  throw new HBaseError('DO_NOT_RETRY', peerId, {
    javaClass: 'org.apache.hadoop.hbase.ReplicationPeerNotFoundException',
  })
}

/** Decisions of the balancer, of which there are none: an empty response of the class that the client asks for. */
function logs(): (readonly [string, RpcHandler])[] {
  return [
    generated(method.getLogEntries, async ({ logClassName }) => {
      const name = logClassName.slice(logClassName.lastIndexOf('$') + 1)
      if (name !== 'BalancerDecisionsRequest' && name !== 'BalancerRejectionsRequest') {
        throw new HBaseError('DO_NOT_RETRY', 'Invalid request params')
      }
      const answered = RESPONSE_PACKAGE + name.replace('Request', 'Response')
      return { logClassName: answered, logMessage: Buffer.alloc(0) }
    }),
  ]
}

function unsupported(message: string): HBaseError {
  return new HBaseError('UNSUPPORTED', message)
}
