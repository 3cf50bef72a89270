/** Sizes that HBase states as shares of Java's heap: hfile.block.cache.size of an hbase-site.xml, and the engine's memstores. */

import { InvalidArgumentError } from 'commander'
import { blockCacheMax, defaultMemoryMax, memoryBytes } from '../machine/memory-shares.ts'

/** The part of the machine's memory that Java takes for its heap by default. */
const HEAP_PART = 1 / 4

/** Bytes that stand for Java's heap. */
export function heapBytes(): number {
  return HEAP_PART * memoryBytes()
}

/** A fifth of what requests and the engine share of the default of `--memory-max`. */
export const DEFAULT_BLOCK_CACHE_BYTES: number = blockCacheMax(defaultMemoryMax())

/** Bytes of the config file's share. Throws InvalidArgumentError. */
export function parseBlockCacheShare(text: string): number {
  const share = /^\d*\.?\d+f?$/i.test(text) ? Number.parseFloat(text) : Number.NaN
  if (!(share >= 0 && share <= 1)) throw new InvalidArgumentError('It must be a share from 0 to 1.')
  return Math.floor(share * heapBytes())
}
