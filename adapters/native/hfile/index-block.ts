import { compareRange, readInt32 } from '../../../src/model/bytes.ts'
import type { CacheableBlock, CachedBlocks } from './block-cache.ts'
import type { RawBlock } from './block-reader.ts'
import { readLong } from './byte-output.ts'
import { corruptFile } from './corruption.ts'
import { keyFault } from './key-order.ts'
import { SortedKeys } from './sorted-keys.ts'
import { readVLong, vlongBytes } from './vlong.ts'

/** Offset i64, on-disk bytes i32. */
export const ENTRY_FIXED_BYTES = 12
const OBJECT_BYTES = 200

/** Entries of an index block: keys in order, each with the block that begins with it. IndexChunk describes the two forms. */
export class IndexBlock extends SortedKeys implements CacheableBlock {
  /** Entry i's key is buffer[keys[i]..keyEnds[i]). */
  readonly keys: Int32Array
  readonly keyEnds: Int32Array
  readonly offsets: Float64Array
  readonly onDiskBytes: Int32Array
  /** Of the blocks that the entries name, those in the cache that a read has come to by this one. */
  readonly cached: CachedBlocks

  private constructor(buffer: Buffer, count: number) {
    super(buffer, count)
    this.keys = new Int32Array(count)
    this.keyEnds = new Int32Array(count)
    this.offsets = new Float64Array(count)
    this.onDiskBytes = new Int32Array(count)
    this.cached = Array.from({ length: count }, () => undefined)
  }

  get isIndex(): boolean {
    return true
  }

  get heapBytes(): number {
    return OBJECT_BYTES + this.buffer.length + this.count * 28 + this.words.byteLength
  }

  evicted(): void {}

  /**
   * The entries of a root, from buffer[at] on. Throws CORRUPTION where `count` entries do not fill the block up to its last
   * `rest` bytes.
   */
  static parseRoot(block: RawBlock, at: number, count: number, rest: number, path: string): IndexBlock {
    // An entry takes 13 bytes at least: this bounds the allocation.
    if (count < 0 || count > (block.end - at) / (ENTRY_FIXED_BYTES + 1)) {
      throw corruptFile(path, block.offset, 'index entries', `those of ${block.end - at} bytes`, count)
    }
    const index = new IndexBlock(block.buffer, count)
    for (let i = 0; i < count; i++) {
      const length = at + ENTRY_FIXED_BYTES
      const key = length < block.end ? length + vlongBytes(block.buffer[length]!) : block.end + 1
      const keyBytes = key <= block.end ? readVLong(block.buffer, length) : -1
      if (keyBytes < 0 || key + keyBytes > block.end) {
        throw corruptFile(
          path,
          block.offset,
          `index entry ${i}`,
          `to end by ${block.end}`,
          `a key of ${keyBytes} bytes`,
        )
      }
      index.#set(i, at, key, key + keyBytes)
      at = key + keyBytes
    }
    if (block.end - at !== rest) {
      throw corruptFile(path, block.offset, `bytes behind ${count} index entries`, rest, block.end - at)
    }
    return index
  }

  /** A leaf or intermediate block. Throws CORRUPTION. */
  static parseNonRoot(block: RawBlock, path: string): IndexBlock {
    const { buffer, start, end } = block
    const count = end - start < 8 ? -1 : readInt32(buffer, start)
    const entries = start + 4 * (count + 2)
    if (count < 1 || entries > end) {
      throw corruptFile(path, block.offset, 'index entries', `those of ${end - start} bytes`, count)
    }
    const index = new IndexBlock(buffer, count)
    let at = entries
    for (let i = 0; i < count; i++) {
      const next = entries + readInt32(buffer, start + 4 * (i + 2))
      if (next < at + ENTRY_FIXED_BYTES || next > end) {
        throw corruptFile(path, block.offset, `index entry ${i}`, `to end by ${end}`, `${at} to ${next}`)
      }
      index.#set(i, at, at + ENTRY_FIXED_BYTES, next)
      at = next
    }
    return index
  }

  #set(i: number, entry: number, key: number, keyEnd: number): void {
    this.offsets[i] = readLong(this.buffer, entry)
    this.onDiskBytes[i] = readInt32(this.buffer, entry + 8)
    this.keys[i] = key
    this.keyEnds[i] = keyEnd
  }

  /**
   * Prepares an index of cell keys for `find`: the data index, or that of a ROWCOL bloom filter. Throws CORRUPTION for an
   * entry whose key is not the key of a cell.
   */
  useCellKeys(block: RawBlock, path: string): void {
    for (let i = 0; i < this.count; i++) {
      const fault = keyFault(this.buffer, this.keys[i]!, this.keyEnds[i]! - this.keys[i]!)
      if (fault !== undefined)
        throw corruptFile(path, block.offset, `key of index entry ${i}`, 'a cell key', fault)
    }
    this.prepareSearch()
  }

  override keyOffset(i: number): number {
    return this.keys[i]!
  }

  override keyBytes(i: number): number {
    return this.keyEnds[i]! - this.keys[i]!
  }

  key(i: number): Buffer {
    return this.buffer.subarray(this.keys[i], this.keyEnds[i])
  }

  /** The last entry whose cell key does not sort after the given one, or -1. */
  find(key: Buffer, offset: number, bytes: number): number {
    return this.upperBound(key, offset, bytes) - 1
  }

  /** As `find`, for keys that are plain bytes: the rows of a ROW bloom filter. */
  findBytes(key: Buffer): number {
    let low = 0
    let high = this.count
    while (low < high) {
      const middle = (low + high) >>> 1
      const at = this.keys[middle]!
      if (compareRange(this.buffer, at, this.keyEnds[middle]! - at, key, 0, key.length) <= 0) low = middle + 1
      else high = middle
    }
    return low - 1
  }
}
