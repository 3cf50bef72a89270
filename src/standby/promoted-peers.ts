import { fromBinary } from '@bufbuild/protobuf'
import { OWN_CALL } from '../store/call.ts'
import type { Store } from '../store/store.ts'
import { ReplicationPeerDescriptionSchema, ReplicationState_State } from '../wire/rpc/gen/replication_pb.ts'

/**
 * Disables the replication peers, which two servers would send to otherwise. Those that a server of another cluster id has enabled are disabled already.
 * Resolves to the ids of all that are disabled.
 */
export async function disabledPeers({ upkeep }: Pick<Store, 'upkeep'>): Promise<string[]> {
  const { peers } = upkeep
  if (peers === undefined) return []
  const disabled: string[] = []
  for (const bytes of await peers.listPeers(OWN_CALL)) {
    const { id, state } = fromBinary(ReplicationPeerDescriptionSchema, bytes)
    if (state?.state === ReplicationState_State.ENABLED)
      await peers.changePeer(id, { kind: 'DISABLE' }, OWN_CALL)
    disabled.push(id)
  }
  return disabled
}
