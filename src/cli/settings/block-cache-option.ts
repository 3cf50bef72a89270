/** `--block-cache`, and hfile.block.cache.size of an hbase-site.xml: memory for blocks of the native engine's store files. */

import { InvalidArgumentError, Option } from 'commander'
import { parseBytes } from '../flags/byte-size.ts'
import { blockCacheMax, defaultMemoryMax, memoryBytes } from '../machine/memory-shares.ts'

/** The part of the machine's memory that Java takes for its heap, of which HBase's setting is a share. */
const HEAP_PART = 1 / 4
/** Memory that stands for Java's heap, of which HBase's settings state shares. */
export function heapBytes(): number {
  return HEAP_PART * memoryBytes()
}

/** A fifth of what requests and the engine share of the default of `--memory-max`. */
export const DEFAULT_BLOCK_CACHE_BYTES: number = blockCacheMax(defaultMemoryMax())

/** The config file's form: a share of a quarter of the memory, as HBase has it of Java's heap. Throws InvalidArgumentError. */
export function parseBlockCacheShare(text: string): number {
  const share = /^\d*\.?\d+f?$/i.test(text) ? Number.parseFloat(text) : Number.NaN
  if (!(share >= 0 && share <= 1)) throw new InvalidArgumentError('It must be a share from 0 to 1.')
  return Math.floor(share * heapBytes())
}

export function blockCacheOption(): Option {
  return new Option(
    '--block-cache <size>',
    "memory for blocks of the native store's files: bytes, or 512m, 2g",
  )
    .env('TIDEGATE_BLOCK_CACHE')
    .argParser(parseBytes)
    .default(DEFAULT_BLOCK_CACHE_BYTES, 'a fifth of --memory-max less 160m')
}
