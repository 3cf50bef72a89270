/** The clusters that a mutation has been to before it came here, as replication states them: they go into the log with its cells. */

import { readInt32 } from '../../../src/model/bytes.ts'
import { CONSUMED_CLUSTERS_ATTRIBUTE } from '../../../src/model/consumed-clusters.ts'
import { HBaseError } from '../../../src/model/errors.ts'
import type { MutationOptions, RowPart } from '../../../src/model/mutation.ts'
import { COUNT_BYTES, statedClusterBytes } from '../cells/cluster-ids.ts'

/**
 * The bytes for the log; undefined: the mutation names no clusters. Throws DO_NOT_RETRY where the attribute is cut off. HBase:
 * Mutation.getClusterIds, which fails such a mutation, too.
 */
export function clustersOf({ attributes }: MutationOptions): Buffer | undefined {
  const stated = attributes?.get(CONSUMED_CLUSTERS_ATTRIBUTE)
  if (stated === undefined) return undefined
  const length = statedClusterBytes(stated)
  if (length === undefined) {
    const count = stated.length < COUNT_BYTES ? '' : ` of ${readInt32(stated, 0)} clusters`
    throw new HBaseError(
      'DO_NOT_RETRY',
      `java.io.EOFException: the attribute ${CONSUMED_CLUSTERS_ATTRIBUTE}${count} ends after ${stated.length} bytes`,
    )
  }
  if (length === COUNT_BYTES) return undefined
  // Not decoded: a batch of replication may have a thousand ids for each of many rows, which share these bytes.
  return length === stated.length ? stated : stated.subarray(0, length)
}

/** The bytes of the first operation that names clusters, as HBase takes those of the first mutation of a batch. */
export function clustersOfParts(parts: readonly RowPart[]): Buffer | undefined {
  for (const { options, operations } of parts)
    for (const operation of operations) {
      const clusters = clustersOf(operation.options ?? options)
      if (clusters !== undefined) return clusters
    }
  return undefined
}

export function areSameClusters(a: Buffer | undefined, b: Buffer | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && a.equals(b))
}
