/**
 * Blocks of store files in memory, in areas that share one budget (HBase: LruBlockCache): blocks that were used once, blocks that
 * were used again, blocks of IN_MEMORY families, and outlines of blocks that had to leave. When there is no room, the area that is
 * furthest above its share loses its least recently used block. So a long scan, whose blocks are used once, drives out none of the
 * others. File id and offset identify a block, whose content the cache does not know.
 */

import type { RequestMemory } from '../../../src/store/request-memory.ts'
import { DEFAULT_BLOCK_CACHE_BYTES } from '../options/default-limits.ts'
import { FramePool } from './block-frames.ts'

/** A block that knows how much memory it holds. */
export interface CacheableBlock {
  readonly heapBytes: number
  /** The cache has let go of the block. */
  evicted(): void
  /** A block of an index or a bloom filter, not of data. */
  readonly isIndex?: boolean
  /** A smaller form that the cache keeps in the block's place when it makes room for others. */
  remnant?(): CacheableBlock | undefined
}

export interface BlockCache {
  /** Memory for the data blocks of this cache's files. */
  readonly frames: FramePool
  /** Bytes of the data blocks that reads of this cache's files have come to so far, in the cache or not. */
  blockBytesRead: number
  get(fileId: number, offset: number): CacheableBlock | undefined
  /** Puts the block in list[at] until it leaves the cache, if the cache has it: `use` then does what `get` does, without a search for it. */
  keepIn(fileId: number, offset: number, list: CachedBlocks, at: number): void
  /** Counts a use. `cached`: in a list of `keepIn`. */
  use(cached: CachedBlock): void
  /** False where the block is larger than the whole cache, which does not keep it. */
  put(fileId: number, offset: number, block: CacheableBlock, inMemory?: boolean): boolean
  /** Forgets every block of a file: it was compacted away or closed. */
  evictFile(fileId: number): void
}

/** The names of HBase's BlockPriority, in lower case, and the remnants. */
export const CACHE_AREAS = ['single', 'multi', 'memory', 'outlines'] as const
export type CacheArea = (typeof CACHE_AREAS)[number]

/**
 * HBase: hbase.lru.blockcache.single.percentage, multi.percentage, memory.percentage. An outline saves more time than as many bytes of
 * blocks: its share is enough for six times the data that fits in the cache.
 */
const SHARES: Readonly<Record<CacheArea, number>> = {
  single: 0.25,
  multi: 0.5,
  memory: 0.25,
  outlines: 0.125,
}

/** Frames that wait for a block: an eighth of the cache, within these bounds. */
const FREE_PART = 1 / 8
const FREE_BYTES_MIN = 1024 * 1024
const FREE_BYTES_MAX = 16 * 1024 * 1024

/** Cached blocks by the entries of the index that leads to them. */
export type CachedBlocks = (CachedBlock | undefined)[]

/** A block while the cache has it: an entry of a ring in order of use. */
export class CachedBlock {
  readonly fileId: number
  readonly offset: number
  readonly bytes: number
  readonly block: CacheableBlock
  area: Area
  newer: CachedBlock = this
  older: CachedBlock = this
  #list: CachedBlocks | undefined
  #at = 0

  constructor(fileId: number, offset: number, block: CacheableBlock, area: Area) {
    this.fileId = fileId
    this.offset = offset
    this.bytes = block.heapBytes
    this.block = block
    this.area = area
  }

  keepIn(list: CachedBlocks, at: number): void {
    this.leaveList()
    this.#list = list
    this.#at = at
    list[at] = this
  }

  leaveList(): void {
    if (this.#list?.[this.#at] === this) this.#list[this.#at] = undefined
    this.#list = undefined
  }
}

const NO_BLOCK: CacheableBlock = { heapBytes: 0, evicted: () => undefined }

/** One area's entries. The ring runs from the oldest entry, `ring.newer`, to the newest, `ring.older`. */
class Area {
  readonly shareBytes: number
  readonly #ring: CachedBlock
  bytes = 0
  count = 0
  evictions = 0

  constructor(shareBytes: number) {
    this.shareBytes = shareBytes
    this.#ring = new CachedBlock(-1, -1, NO_BLOCK, this)
  }

  get oldest(): CachedBlock {
    return this.#ring.newer
  }

  get newest(): CachedBlock {
    return this.#ring.older
  }

  add(entry: CachedBlock): void {
    const ring = this.#ring
    entry.area = this
    entry.older = ring.older
    entry.newer = ring
    ring.older.newer = entry
    ring.older = entry
    this.bytes += entry.bytes
    this.count++
  }

  remove(entry: CachedBlock): void {
    entry.older.newer = entry.newer
    entry.newer.older = entry.older
    this.bytes -= entry.bytes
    this.count--
  }
}

/** Keeps blocks up to a budget of bytes. */
export class LruBlockCache implements BlockCache {
  readonly maxBytes: number
  readonly frames: FramePool
  hits = 0
  misses = 0
  blockBytesRead = 0
  /** Bytes of the blocks of indexes and bloom filters. */
  indexBytes = 0
  readonly #files = new Map<number, Map<number, CachedBlock>>()
  readonly #areas: Readonly<Record<CacheArea, Area>>
  readonly #inOrder: readonly Area[]
  #bytes = 0

  /** `poisons`, `onDropped`: see FramePool. */
  constructor(
    maxBytes: number = DEFAULT_BLOCK_CACHE_BYTES,
    poisons = false,
    onDropped?: (bytes: number) => void,
  ) {
    this.maxBytes = maxBytes
    const freeBytes = Math.min(Math.max(maxBytes * FREE_PART, FREE_BYTES_MIN), FREE_BYTES_MAX)
    this.frames = new FramePool(freeBytes, poisons, onDropped)
    const area = (name: CacheArea): Area => new Area(SHARES[name] * maxBytes)
    this.#areas = {
      single: area('single'),
      multi: area('multi'),
      memory: area('memory'),
      outlines: area('outlines'),
    }
    this.#inOrder = CACHE_AREAS.map((name) => this.#areas[name])
  }

  /** Bytes of all blocks together. */
  get bytes(): number {
    return this.#bytes
  }

  get count(): number {
    return this.#inOrder.reduce((count, area) => count + area.count, 0)
  }

  get evictions(): number {
    return this.#inOrder.reduce((evictions, area) => evictions + area.evictions, 0)
  }

  area(name: CacheArea): { readonly bytes: number; readonly count: number; readonly evictions: number } {
    return this.#areas[name]
  }

  get(fileId: number, offset: number): CacheableBlock | undefined {
    const entry = this.#files.get(fileId)?.get(offset)
    if (entry === undefined) {
      this.misses++
      return undefined
    }
    this.use(entry)
    return entry.block
  }

  keepIn(fileId: number, offset: number, list: CachedBlocks, at: number): void {
    this.#files.get(fileId)?.get(offset)?.keepIn(list, at)
  }

  use(entry: CachedBlock): void {
    this.hits++
    const { area } = entry
    const { single, multi } = this.#areas
    if (area === single || area.newest !== entry) {
      area.remove(entry)
      if (area === single) multi.add(entry)
      else area.add(entry)
    }
  }

  put(fileId: number, offset: number, block: CacheableBlock, inMemory = false): boolean {
    const known = this.#files.get(fileId)?.get(offset)
    if (known !== undefined) this.#remove(known)
    const area = inMemory ? this.#areas.memory : this.#areas.single
    const entry = new CachedBlock(fileId, offset, block, area)
    if (entry.bytes > this.maxBytes) return false
    while (this.#bytes + entry.bytes > this.maxBytes) this.#evictOldest(area, entry.bytes)
    this.#add(entry, area)
    return true
  }

  evictFile(fileId: number): void {
    for (const entry of this.#files.get(fileId)?.values() ?? []) this.#remove(entry)
  }

  /** `growing`: the area that is about to take `bytes` more. */
  #evictOldest(growing: Area, bytes: number): void {
    let chosen: Area | undefined
    let overflow = Number.NEGATIVE_INFINITY
    for (const area of this.#inOrder) {
      if (area.count === 0) continue
      const over = area.bytes + (area === growing ? bytes : 0) - area.shareBytes
      if (over <= overflow) continue
      overflow = over
      chosen = area
    }
    const { oldest } = chosen!
    const { block, fileId, offset } = oldest
    const remnant = block.remnant?.()
    this.#remove(oldest)
    chosen!.evictions++
    const { outlines } = this.#areas
    if (remnant !== undefined) this.#add(new CachedBlock(fileId, offset, remnant, outlines), outlines)
  }

  #add(entry: CachedBlock, area: Area): void {
    let blocks = this.#files.get(entry.fileId)
    if (blocks === undefined) {
      blocks = new Map()
      this.#files.set(entry.fileId, blocks)
    }
    blocks.set(entry.offset, entry)
    area.add(entry)
    this.#bytes += entry.bytes
    if (entry.block.isIndex === true) this.indexBytes += entry.bytes
  }

  #remove(entry: CachedBlock): void {
    entry.area.remove(entry)
    const blocks = this.#files.get(entry.fileId)
    blocks?.delete(entry.offset)
    if (blocks?.size === 0) this.#files.delete(entry.fileId)
    this.#bytes -= entry.bytes
    if (entry.block.isIndex === true) this.indexBytes -= entry.bytes
    entry.leaveList()
    entry.block.evicted()
  }
}

/** The cache of a store with these options. */
export function blockCacheOf(options: {
  readonly blockCacheBytes: number
  readonly poisonReleased: boolean
  readonly memory: Pick<RequestMemory, 'spent'>
}): LruBlockCache {
  return new LruBlockCache(options.blockCacheBytes, options.poisonReleased, options.memory.spent)
}
