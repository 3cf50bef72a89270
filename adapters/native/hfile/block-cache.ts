/**
 * Blocks of store files in memory; the least recently used goes first. File id and offset identify a block, whose content
 * the cache does not know.
 */

/** A block that knows how much memory it holds. */
export interface CacheableBlock {
  readonly heapBytes: number
}

export interface BlockCache {
  get(fileId: number, offset: number): CacheableBlock | undefined
  put(fileId: number, offset: number, block: CacheableBlock): void
  /** Forgets every block of a file: it was compacted away or closed. */
  evictFile(fileId: number): void
}

/** 256 MB: some 4,000 blocks of the usual 64 KB. */
export const DEFAULT_BLOCK_CACHE_BYTES: number = 256 * 1024 * 1024

/** An entry of the ring in order of use; the cache's own `#ring` entry is both its beginning and its end. */
class Entry {
  readonly fileId: number
  readonly offset: number
  readonly bytes: number
  readonly block: CacheableBlock
  newer: Entry = this
  older: Entry = this

  constructor(fileId: number, offset: number, block: CacheableBlock) {
    this.fileId = fileId
    this.offset = offset
    this.bytes = block.heapBytes
    this.block = block
  }
}

/** Keeps blocks up to a budget of bytes. A block above the whole budget is not kept at all. */
export class LruBlockCache implements BlockCache {
  readonly maxBytes: number
  hits = 0
  misses = 0
  evictions = 0
  readonly #files = new Map<number, Map<number, Entry>>()
  readonly #ring = new Entry(-1, -1, { heapBytes: 0 })
  #bytes = 0
  #count = 0

  constructor(maxBytes: number = DEFAULT_BLOCK_CACHE_BYTES) {
    this.maxBytes = maxBytes
  }

  get bytes(): number {
    return this.#bytes
  }

  get count(): number {
    return this.#count
  }

  get(fileId: number, offset: number): CacheableBlock | undefined {
    const entry = this.#files.get(fileId)?.get(offset)
    if (entry === undefined) {
      this.misses++
      return undefined
    }
    this.hits++
    if (this.#ring.older !== entry) {
      unlink(entry)
      this.#linkNewest(entry)
    }
    return entry.block
  }

  put(fileId: number, offset: number, block: CacheableBlock): void {
    const known = this.#files.get(fileId)?.get(offset)
    if (known !== undefined) this.#remove(known)
    const entry = new Entry(fileId, offset, block)
    if (entry.bytes > this.maxBytes) return
    while (this.#bytes + entry.bytes > this.maxBytes) {
      this.#remove(this.#ring.newer)
      this.evictions++
    }
    let blocks = this.#files.get(fileId)
    if (blocks === undefined) {
      blocks = new Map()
      this.#files.set(fileId, blocks)
    }
    blocks.set(offset, entry)
    this.#linkNewest(entry)
    this.#bytes += entry.bytes
    this.#count++
  }

  evictFile(fileId: number): void {
    for (const entry of this.#files.get(fileId)?.values() ?? []) this.#remove(entry)
  }

  /** The ring runs from the oldest entry, `ring.newer`, to the newest, `ring.older`. */
  #linkNewest(entry: Entry): void {
    const ring = this.#ring
    entry.older = ring.older
    entry.newer = ring
    ring.older.newer = entry
    ring.older = entry
  }

  #remove(entry: Entry): void {
    unlink(entry)
    const blocks = this.#files.get(entry.fileId)
    blocks?.delete(entry.offset)
    if (blocks?.size === 0) this.#files.delete(entry.fileId)
    this.#bytes -= entry.bytes
    this.#count--
  }
}

function unlink(entry: Entry): void {
  entry.older.newer = entry.newer
  entry.newer.older = entry.older
}
