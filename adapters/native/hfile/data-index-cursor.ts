import { compareRange } from '../../../src/model/bytes.ts'
import type { BlockCache, CachedBlock } from './block-cache.ts'
import { IndexBlock } from './index-block.ts'

/** Fetches an index block below the root through the block cache: a leaf, or else an intermediate one. */
export type IndexBlockSource = (offset: number, onDiskBytes: number, leaf: boolean) => IndexBlock

/** A place in the data index: one entry at each level. The last one names a data block. */
export class DataIndexCursor {
  /** From the root down to the leaf. */
  readonly #blocks: IndexBlock[]
  readonly #entries: number[] = [0]
  readonly #levels: number
  readonly #source: IndexBlockSource
  readonly #fileId: number
  readonly #cache: BlockCache

  /** `cache`: has the blocks, under `fileId`. */
  constructor(root: IndexBlock, levels: number, source: IndexBlockSource, fileId: number, cache: BlockCache) {
    this.#levels = levels
    this.#source = source
    this.#fileId = fileId
    this.#cache = cache
    this.#blocks = [root]
  }

  get offset(): number {
    const leaf = this.#levels - 1
    return this.#blocks[leaf]!.offsets[this.#entries[leaf]!]!
  }

  get onDiskBytes(): number {
    const leaf = this.#levels - 1
    return this.#blocks[leaf]!.onDiskBytes[this.#entries[leaf]!]!
  }

  /** The row with which the data block begins, or a shorter one between it and the row before. */
  get row(): Buffer {
    const leaf = this.#levels - 1
    const key = this.#blocks[leaf]!.key(this.#entries[leaf]!)
    return key.subarray(2, 2 + ((key[0]! << 8) | key[1]!))
  }

  /** To the last data block whose key does not sort after the given one, or to the first. */
  seek(key: Buffer, offset: number, bytes: number): void {
    let block = this.#blocks[0]!
    for (let level = 0; ; level++) {
      const entry = Math.max(block.find(key, offset, bytes), 0)
      this.#entries[level] = entry
      if (level + 1 === this.#levels) return
      block = this.#descend(level, block, entry)
    }
  }

  /** As seek, without reads from the file: false where the cache lacks an index block on the way. */
  seekInCache(key: Buffer, offset: number, bytes: number): boolean {
    let block = this.#blocks[0]!
    for (let level = 0; ; level++) {
      const entry = Math.max(block.find(key, offset, bytes), 0)
      this.#entries[level] = entry
      if (level + 1 === this.#levels) return true
      const child = this.#cachedChild(block, entry)
      if (child === undefined) return false
      block = child
      this.#blocks[level + 1] = block
    }
  }

  /** The data block's place in the cache, if `keep` has put it into the index and it has not left since. */
  get cached(): CachedBlock | undefined {
    const leaf = this.#levels - 1
    return this.#blocks[leaf]!.cached[this.#entries[leaf]!]
  }

  /** The data block is in the cache now. */
  keep(): void {
    const leaf = this.#levels - 1
    this.#cache.keepIn(this.#fileId, this.offset, this.#blocks[leaf]!.cached, this.#entries[leaf]!)
  }

  /** True if the cells of the later data blocks are known to be of rows behind this one. */
  isBeforeNext(row: Buffer): boolean {
    const leaf = this.#levels - 1
    const block = this.#blocks[leaf]!
    const next = this.#entries[leaf]! + 1
    if (next === block.count) return leaf === 0
    // Behind the row's length.
    const key = block.keys[next]!
    const { buffer } = block
    const rowBytes = (buffer[key]! << 8) | buffer[key + 1]!
    return compareRange(buffer, key + 2, rowBytes, row, 0, row.length) > 0
  }

  first(): void {
    this.#entries[0] = 0
    this.#descendTo(0, false)
  }

  last(): void {
    this.#entries[0] = this.#blocks[0]!.count - 1
    this.#descendTo(0, true)
  }

  /** Returns false and stays if the present data block is the last. */
  next(): boolean {
    return this.#step(1)
  }

  previous(): boolean {
    return this.#step(-1)
  }

  #step(by: 1 | -1): boolean {
    for (let level = this.#levels - 1; level >= 0; level--) {
      const entry = this.#entries[level]! + by
      if (entry < 0 || entry >= this.#blocks[level]!.count) continue
      this.#entries[level] = entry
      this.#descendTo(level, by < 0)
      return true
    }
    return false
  }

  /** From the present entry at `level` down to its first or last data block. */
  #descendTo(level: number, last: boolean): void {
    for (let upper = level; upper + 1 < this.#levels; upper++) {
      const block = this.#descend(upper, this.#blocks[upper]!, this.#entries[upper]!)
      this.#entries[upper + 1] = last ? block.count - 1 : 0
    }
  }

  #descend(level: number, block: IndexBlock, entry: number): IndexBlock {
    const cached = this.#cachedChild(block, entry)
    if (cached !== undefined) {
      this.#blocks[level + 1] = cached
      return cached
    }
    const leaf = level + 2 === this.#levels
    const offset = block.offsets[entry]!
    const child = this.#source(offset, block.onDiskBytes[entry]!, leaf)
    this.#cache.keepIn(this.#fileId, offset, block.cached, entry)
    this.#blocks[level + 1] = child
    return child
  }

  #cachedChild(block: IndexBlock, entry: number): IndexBlock | undefined {
    const cached = block.cached[entry]
    if (cached === undefined || !(cached.block instanceof IndexBlock)) return undefined
    this.#cache.use(cached)
    return cached.block
  }
}
