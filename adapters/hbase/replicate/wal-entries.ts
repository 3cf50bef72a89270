/** Changes as entries of a log. HBase: ReplicationProtobufUtil.buildReplicateWALEntryRequest. */

import type { MessageInitShape } from '@bufbuild/protobuf'
import type { SentChange } from '../../../src/store/peer-cluster.ts'
import type { ReplicateWALEntryRequestSchema } from '../../../src/wire/rpc/gen/admin_pb.ts'
import { ScopeType } from '../../../src/wire/rpc/gen/wal_pb.ts'

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i

export function replicateRequest(
  changes: readonly SentChange[],
): MessageInitShape<typeof ReplicateWALEntryRequestSchema> {
  return { entry: changes.map(entryOf) }
}

function entryOf(
  change: SentChange,
): NonNullable<MessageInitShape<typeof ReplicateWALEntryRequestSchema>['entry']>[number] {
  const { table, region, sequenceId, writeTime, clusterIds, scopes, cellCount } = change
  return {
    key: {
      encodedRegionName: Buffer.from(region),
      tableName: Buffer.from(table),
      logSequenceNumber: BigInt(sequenceId),
      writeTime: BigInt(Math.floor(writeTime)),
      clusterIds: clusterIds.map(uuidMessage),
      scopes: scopes.map((family) => ({ family, scopeType: ScopeType.REPLICATION_SCOPE_GLOBAL })),
    },
    associatedCellCount: cellCount,
  }
}

/** `id`: as Store.clusterId, which is a UUID. */
function uuidMessage(id: string): { mostSigBits: bigint; leastSigBits: bigint } {
  if (!UUID.test(id)) throw new TypeError(`${id} is no UUID`)
  const digits = id.replaceAll('-', '')
  return { mostSigBits: BigInt(`0x${digits.slice(0, 16)}`), leastSigBits: BigInt(`0x${digits.slice(16)}`) }
}
