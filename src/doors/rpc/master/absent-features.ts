/** Features that HBase has switched off unless its settings say otherwise, and its answers then. */

import { HBaseError } from '../../../model/errors.ts'
import { MasterService } from '../../../wire/rpc/gen/master_pb.ts'
import { generated, type RpcHandler } from '../rpc-service.ts'
import type { MasterContext } from './master-context.ts'

const { method } = MasterService
const NO_PEERS =
  'Tidegate does not replicate: a peer would never receive what is written here, so that none can be added'
const NO_NONCE = { nonceGroup: 0n, nonce: 0n }
const RESPONSE_PACKAGE = 'org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos$'

export function absentFeatures(context: MasterContext): (readonly [string, RpcHandler])[] {
  return [...peers(context), ...logs()]
}

/** HBase: ReplicationPeerManager. Tidegate does not replicate, and a peer that is kept would look as if it did. */
function peers({ procedures }: MasterContext): (readonly [string, RpcHandler])[] {
  return [
    generated(method.listReplicationPeers, async () => ({ peerDesc: [] })),
    generated(method.addReplicationPeer, async () => {
      throw unsupported(NO_PEERS)
    }),
    generated(method.getReplicationPeerConfig, ({ peerId }) => noPeer(peerId)),
    generated(method.removeReplicationPeer, ({ peerId }, { call }) =>
      procedures.submit(NO_NONCE, call, () => noPeer(peerId)),
    ),
    generated(method.enableReplicationPeer, ({ peerId }, { call }) =>
      procedures.submit(NO_NONCE, call, () => noPeer(peerId)),
    ),
    generated(method.disableReplicationPeer, ({ peerId }, { call }) =>
      procedures.submit(NO_NONCE, call, () => noPeer(peerId)),
    ),
    generated(method.updateReplicationPeerConfig, ({ peerId }, { call }) =>
      procedures.submit(NO_NONCE, call, () => noPeer(peerId)),
    ),
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
