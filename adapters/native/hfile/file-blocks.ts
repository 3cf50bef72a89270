/** The blocks of one store file, which come through the block cache. */

import type { BlockCache, CachedBlock } from './block-cache.ts'
import { BlockOutline } from './block-outline.ts'
import type { BlockReader } from './block-reader.ts'
import { BlockType } from './block-type.ts'
import { BloomChunk } from './bloom-reader.ts'
import type { CachePolicy } from './cache-policy.ts'
import { DataBlock } from './data-block.ts'
import type { DataBlockSource } from './data-block-source.ts'
import { IndexBlock } from './index-block.ts'

export class FileBlocks {
  readonly #path: string
  readonly #fileId: number
  readonly #blocks: BlockReader
  readonly #dataBlocks: DataBlockSource
  readonly #cache: BlockCache
  readonly #cachePolicy: () => CachePolicy

  constructor(
    path: string,
    fileId: number,
    blocks: BlockReader,
    dataBlocks: DataBlockSource,
    cache: BlockCache,
    cachePolicy: () => CachePolicy,
  ) {
    this.#path = path
    this.#fileId = fileId
    this.#blocks = blocks
    this.#dataBlocks = dataBlocks
    this.#cache = cache
    this.#cachePolicy = cachePolicy
  }

  /** The data block at `offset`. */
  dataBlock(offset: number, onDiskBytes: number, cacheBlocks: boolean): DataBlock {
    const cached = this.#cache.get(this.#fileId, offset)
    if (cached instanceof DataBlock) return this.#counted(cached)
    const block = this.#dataBlocks.read(offset, onDiskBytes)
    // Reads of single rows had come to it before.
    block.isReadByRow = cached instanceof BlockOutline
    return this.#kept(offset, block, cacheBlocks)
  }

  /**
   * As `dataBlock`, for a read of one row: a piece of the block, or the block, with all of the row's cells in it. `key`: as for
   * BlockOutline.pieceOf; undefined for the row that the block begins with.
   */
  rowBlock(
    offset: number,
    onDiskBytes: number,
    cacheBlocks: boolean,
    key: Buffer | undefined,
    keyOffset: number,
    keyBytes: number,
  ): DataBlock {
    const cached = this.#cache.get(this.#fileId, offset)
    if (cached instanceof BlockOutline) {
      const piece = key === undefined ? cached.piece(0) : cached.pieceOf(key, keyOffset, keyBytes)
      const at = offset + piece.start
      const known = this.#cache.get(this.#fileId, at)
      if (known instanceof DataBlock) return this.#counted(known)
      const read = this.#dataBlocks.readPiece(offset, piece)
      if (read !== undefined) return this.#kept(at, read, cacheBlocks)
    }
    const block = cached instanceof DataBlock ? cached : this.#dataBlocks.read(offset, onDiskBytes)
    block.isReadByRow = true
    return block === cached ? this.#counted(block) : this.#kept(offset, block, cacheBlocks)
  }

  /** Counts a use of a block in the cache by a read of one row. */
  useBlock(cached: CachedBlock, block: DataBlock): DataBlock {
    this.#cache.use(cached)
    block.isReadByRow = true
    return this.#counted(block)
  }

  #counted(block: DataBlock): DataBlock {
    this.#cache.blockBytesRead += block.buffer.length
    return block
  }

  /** `block` was read from the file. */
  #kept(offset: number, block: DataBlock, cacheBlocks: boolean): DataBlock {
    this.#counted(block)
    if (!cacheBlocks) return block
    const { cachesData, inMemory } = this.#cachePolicy()
    if (cachesData && this.#cache.put(this.#fileId, offset, block, inMemory)) block.cached()
    return block
  }

  /** A block of the index below the root. */
  readonly index = (offset: number, onDiskBytes: number, leaf: boolean): IndexBlock => {
    const cached = this.#cache.get(this.#fileId, offset)
    if (cached instanceof IndexBlock) return cached
    const raw = this.#blocks.read(
      offset,
      onDiskBytes,
      leaf ? BlockType.LeafIndex : BlockType.IntermediateIndex,
    )
    const block = IndexBlock.parseNonRoot(raw, this.#path)
    block.useCellKeys(raw, this.#path)
    this.#cache.put(this.#fileId, offset, block, this.#cachePolicy().inMemory)
    return block
  }

  readonly bloomChunk = (offset: number, onDiskBytes: number): BloomChunk => {
    const cached = this.#cache.get(this.#fileId, offset)
    if (cached instanceof BloomChunk) return cached
    const block = new BloomChunk(this.#blocks.read(offset, onDiskBytes, BlockType.BloomChunk), this.#path)
    block.isCached = this.#cache.put(this.#fileId, offset, block, this.#cachePolicy().inMemory)
    return block
  }
}
