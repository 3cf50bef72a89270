/**
 * The clusters that have a change already, as an attribute of the mutation: a source sends the change to none of them, so that no change
 * goes round in a circle. HBase: Mutation.setClusterIds.
 *
 *     value := count i32 | (most significant i64 | least significant i64)*       the ids are UUIDs
 */

/** HBase: Mutation.CONSUMED_CLUSTER_IDS. */
export const CONSUMED_CLUSTERS_ATTRIBUTE = '_cs.id'

const COUNT_BYTES = 4
const HALF_BYTES = 8
const ID_BYTES = 2 * HALF_BYTES

/** An id of a cluster. */
export interface ClusterUuid {
  readonly mostSignificant: bigint
  readonly leastSignificant: bigint
}

export function consumedClusters(ids: readonly ClusterUuid[]): Buffer {
  const value = Buffer.alloc(COUNT_BYTES + ID_BYTES * ids.length)
  value.writeInt32BE(ids.length)
  ids.forEach(({ mostSignificant, leastSignificant }, index) => {
    const at = COUNT_BYTES + ID_BYTES * index
    value.writeBigUInt64BE(mostSignificant, at)
    value.writeBigUInt64BE(leastSignificant, at + HALF_BYTES)
  })
  return value
}
