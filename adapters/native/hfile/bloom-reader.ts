import { EMPTY, readInt32 } from '../../../src/model/bytes.ts'
import { BloomHash } from '../cells/bloom-hash.ts'
import { MURMUR_HASH } from '../cells/murmur-hash.ts'
import type { CacheableBlock } from './block-cache.ts'
import type { RawBlock } from './block-reader.ts'
import { columnKeyBytes, writeColumnKey } from './bloom-key.ts'
import { BLOOM_VERSION, type BloomKeyForm } from './bloom-writer.ts'
import { readLong } from './byte-output.ts'
import { corruptFile } from './corruption.ts'
import { IndexBlock } from './index-block.ts'
import { readVLong, vlongBytes } from './vlong.ts'

/** version, total bytes, hash count, hash type, keys, maximal keys, chunks. */
const META_FIXED_BYTES = 40
/** Far above the hash count for any error rate. */
const HASH_COUNT_MAX = 255
const OBJECT_BYTES = 200
/** One of so many uses of a chunk is a look-up in the cache, which then knows that it is in use. */
const LOOK_UPS_PART = 16

/** The bits of one chunk, in memory. */
export class BloomChunk implements CacheableBlock {
  bits: Buffer
  /** Whether the cache has the chunk. */
  isCached = false

  /** Throws CORRUPTION for a chunk without bits, which would deny every key. */
  constructor(block: RawBlock, path: string) {
    if (block.start === block.end) throw corruptFile(path, block.offset, 'bloom chunk', 'at least a byte', 0)
    this.bits = block.buffer.subarray(block.start, block.end)
  }

  get isIndex(): boolean {
    return true
  }

  get heapBytes(): number {
    return OBJECT_BYTES + this.bits.length
  }

  evicted(): void {
    this.isCached = false
    // Its reader may still have the chunk, but reads it anew.
    this.bits = EMPTY
  }

  mayContain({ first, second }: BloomHash, hashCount: number): boolean {
    const { bits } = this
    const size = bits.length * 8
    let hash = first
    for (let i = 0; i < hashCount; i++) {
      const bit = Math.abs(hash % size)
      if ((bits[bit >>> 3]! & (1 << (bit & 7))) === 0) return false
      hash = (hash + second) | 0
    }
    return true
  }
}

/** Fetches a chunk through the block cache. */
export type BloomChunkSource = (offset: number, onDiskBytes: number) => BloomChunk

/** Answers from the chunks of one compound filter, fetched when they are needed. */
export class BloomReader {
  readonly keyCount: number
  /** Bytes of the bits of all chunks. HBase: BloomFilter.getByteSize. */
  readonly byteSize: number
  readonly #hashCount: number
  readonly #index: IndexBlock
  readonly #chunks: BloomChunkSource
  /** The hash of `column` keys. */
  readonly #hash = new BloomHash()
  /** The chunks that were asked before, by entry. While the cache has one too, it costs a look-up there only now and then. */
  readonly #known: (BloomChunk | undefined)[] = []
  #asked = 0

  private constructor(
    keyCount: number,
    byteSize: number,
    hashCount: number,
    index: IndexBlock,
    chunks: BloomChunkSource,
  ) {
    this.keyCount = keyCount
    this.byteSize = byteSize
    this.#hashCount = hashCount
    this.#index = index
    this.#chunks = chunks
  }

  /** Undefined for a filter of an unknown version or hash. Throws CORRUPTION. */
  static open(
    meta: RawBlock,
    form: BloomKeyForm,
    chunks: BloomChunkSource,
    path: string,
  ): BloomReader | undefined {
    const { buffer, start, end } = meta
    if (end - start < META_FIXED_BYTES + 1) {
      throw corruptFile(path, meta.offset, 'bloom filter', `${META_FIXED_BYTES + 1} bytes`, end - start)
    }
    if (readInt32(buffer, start) !== BLOOM_VERSION) return undefined
    const hashCount = readInt32(buffer, start + 12)
    if (readInt32(buffer, start + 16) !== MURMUR_HASH) return undefined
    if (hashCount < 1 || hashCount > HASH_COUNT_MAX) {
      throw corruptFile(path, meta.offset, 'bloom hash count', `1 to ${HASH_COUNT_MAX}`, hashCount)
    }
    const comparator = start + META_FIXED_BYTES
    const name = comparator + vlongBytes(buffer[comparator]!)
    const nameBytes = name <= end ? readVLong(buffer, comparator) : -1
    if (nameBytes < 0 || name + nameBytes > end) {
      throw corruptFile(path, meta.offset, 'bloom comparator', `to end by ${end}`, `${nameBytes} bytes`)
    }
    const index = IndexBlock.parseRoot(meta, name + nameBytes, readInt32(buffer, start + 36), 0, path)
    if (form === 'ROWCOL') index.useCellKeys(meta, path)
    const [byteSize, keyCount] = [readLong(buffer, start + 4), readLong(buffer, start + 20)]
    return new BloomReader(keyCount, byteSize, hashCount, index, chunks)
  }

  /** Memory of the places of the chunks, which the filter keeps. */
  get heapBytes(): number {
    return this.#index.heapBytes
  }

  /** Bytes of all chunks in the file. */
  get chunkBytes(): number {
    return this.#index.onDiskBytes.reduce((sum, bytes) => sum + bytes, 0)
  }

  /** False where no cell of the row is in the file; for a ROW filter. `hash`: the row's, or a reset one. */
  mayContainRow(row: Buffer, hash: BloomHash): boolean {
    const entry = this.#index.findBytes(row)
    if (entry < 0) return false
    hash.set(row, 0, row.length)
    return this.#chunk(entry).mayContain(hash, this.#hashCount)
  }

  /** False where no cell of the column is in the file; for a ROWCOL filter. */
  mayContainColumn(row: Buffer, qualifier: Buffer): boolean {
    // The filter has tombstones of the whole family under the empty qualifier.
    return this.#mayContainKey(row, qualifier) || (qualifier.length > 0 && this.#mayContainKey(row, EMPTY))
  }

  #mayContainKey(row: Buffer, qualifier: Buffer): boolean {
    const key = Buffer.allocUnsafe(columnKeyBytes(row.length, qualifier.length))
    const bytes = writeColumnKey(key, row, 0, row.length, qualifier, 0, qualifier.length)
    const entry = this.#index.find(key, 0, bytes)
    if (entry < 0) return false
    this.#hash.reset().set(key, 0, bytes)
    return this.#chunk(entry).mayContain(this.#hash, this.#hashCount)
  }

  #chunk(entry: number): BloomChunk {
    const known = this.#known[entry]
    if (known?.isCached === true && ++this.#asked % LOOK_UPS_PART !== 0) return known
    const chunk = this.#chunks(this.#index.offsets[entry]!, this.#index.onDiskBytes[entry]!)
    this.#known[entry] = chunk.isCached ? chunk : undefined
    return chunk
  }
}
