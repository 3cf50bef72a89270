import type { FamilyDescriptor } from '../../../src/model/descriptor.ts'

/** How the cache treats a family's blocks. HBase: CacheConfig. */
export interface CachePolicy {
  /** BLOCKCACHE: whether data blocks are kept; index blocks and bloom filters always are. */
  readonly cachesData: boolean
  /** IN_MEMORY: whether blocks go into the area of their own. */
  readonly inMemory: boolean
}

export const USUAL_CACHE_POLICY: CachePolicy = { cachesData: true, inMemory: false }

export function cachePolicyOf(family: FamilyDescriptor): CachePolicy {
  const { attributes } = family
  return {
    cachesData: (attributes.get('BLOCKCACHE') ?? 'true').toLowerCase() === 'true',
    inMemory: attributes.get('IN_MEMORY')?.toLowerCase() === 'true',
  }
}
