import { BlockType } from './block-type.ts'
import { BlockWriter, type WrittenBlock } from './block-writer.ts'
import { ByteOutput, writeLong } from './byte-output.ts'
import { ENTRY_FIXED_BYTES } from './index-block.ts'
import { vlongBytesNeeded } from './vlong.ts'

/** HFileBlockIndex.DEFAULT_MAX_CHUNK_SIZE: an index block is closed when it reaches this. */
export const INDEX_BLOCK_BYTES: number = 128 * 1024
/** HFileBlockIndex.DEFAULT_MIN_INDEX_NUM_ENTRIES: keeps huge keys from making a level per entry. */
const INTERMEDIATE_ENTRIES_MIN = 16
const LEVELS_MAX = 16

/** Bytes of IndexChunk.middleEntry, which follows a root's entries if the index has leaves. */
export const MIDDLE_ENTRY_BYTES = 16

/** An index block under construction: entries of a key and the block that begins with it. */
class IndexChunk {
  readonly keys: Buffer[] = []
  readonly offsets: number[] = []
  readonly onDiskBytes: number[] = []
  /** For each entry of a root over leaves: the entries in all leaves up to and with its own. */
  readonly entriesUpTo: number[] = []
  #entriesBytes = 0
  rootBytes = 0

  get count(): number {
    return this.keys.length
  }

  add(key: Buffer, offset: number, onDiskBytes: number): void {
    this.keys.push(key)
    this.offsets.push(offset)
    this.onDiskBytes.push(onDiskBytes)
    this.#entriesBytes += ENTRY_FIXED_BYTES + key.length
    this.rootBytes += ENTRY_FIXED_BYTES + vlongBytesNeeded(key.length) + key.length
  }

  get nonRootBytes(): number {
    return 4 + 4 * (this.count + 1) + this.#entriesBytes
  }

  /**
   * Leaf and intermediate form: `count i32 | (entryOffset i32)* | entriesBytes i32 | (offset i64 | onDiskBytes i32 |
   * key)*`, entry offsets counted from the first entry.
   */
  writeNonRoot(output: ByteOutput): void {
    output.int32(this.count)
    let entry = 0
    for (const key of this.keys) {
      output.int32(entry)
      entry += ENTRY_FIXED_BYTES + key.length
    }
    output.int32(entry)
    for (let i = 0; i < this.count; i++) {
      output.long(this.offsets[i]!)
      output.int32(this.onDiskBytes[i]!)
      output.bytes(this.keys[i]!)
    }
  }

  /** Root form: `(offset i64 | onDiskBytes i32 | keyLength vlong | key)*`; the trailer holds the count. */
  writeRoot(output: ByteOutput): void {
    for (let i = 0; i < this.count; i++) {
      output.long(this.offsets[i]!)
      output.int32(this.onDiskBytes[i]!)
      output.byteArray(this.keys[i]!)
    }
  }

  /** Leaf that holds the middle data block, and that block's place in it: `offset i64 | onDiskBytes i32 | entry i32`. */
  middleEntry(): Buffer {
    const middle = Math.floor((this.entriesUpTo[this.count - 1]! - 1) / 2)
    const leaf = this.entriesUpTo.findIndex((entries) => entries > middle)
    const before = leaf > 0 ? this.entriesUpTo[leaf - 1]! : 0
    const bytes = Buffer.alloc(MIDDLE_ENTRY_BYTES)
    writeLong(bytes, 0, this.offsets[leaf]!)
    bytes.writeInt32BE(this.onDiskBytes[leaf]!, 8)
    bytes.writeInt32BE(middle - before, 12)
    return bytes
  }
}

/** An index of one level: that of the meta blocks or of a bloom filter. */
export class SingleLevelIndexWriter {
  readonly #chunk = new IndexChunk()

  add(key: Buffer, block: WrittenBlock): void {
    this.#chunk.add(key, block.offset, block.onDiskBytes)
  }

  get count(): number {
    return this.#chunk.count
  }

  write(output: ByteOutput): void {
    this.#chunk.writeRoot(output)
  }
}

/**
 * The index of data blocks. Leaves are written among the data as they fill up; the entries of a file too small for a
 * full leaf stay in the root. At the end a root that is too large is split into intermediate blocks, level by level.
 * HBase: HFileBlockIndex.BlockIndexWriter.
 */
export class DataIndexWriter {
  levels = 1
  /** Payload bytes of all index blocks so far. */
  payloadBytes = 0
  #leaf = new IndexChunk()
  #root = new IndexChunk()
  #entries = 0
  readonly #blocks: BlockWriter
  readonly #output = new ByteOutput(INDEX_BLOCK_BYTES / 8)
  readonly #blockBytes: number

  constructor(blocks: BlockWriter, indexBlockBytes: number) {
    this.#blocks = blocks
    this.#blockBytes = indexBlockBytes
  }

  get rootCount(): number {
    return this.#root.count
  }

  /** `key` sorts after every cell before the block and not after its first. */
  add(key: Buffer, block: WrittenBlock): void {
    this.#leaf.add(key, block.offset, block.onDiskBytes)
    this.#entries++
  }

  /** Writes the present leaf if it is full. */
  writeFullLeaf(): void {
    if (this.#leaf.nonRootBytes >= this.#blockBytes) this.#writeLeaf()
  }

  /** Writes the last leaf after the last entry; an only leaf becomes the root. */
  finishLeaves(): void {
    if (this.#leaf.count === 0) return
    if (this.#root.count > 0) this.#writeLeaf()
    else this.#root = this.#leaf
  }

  /** Writes the intermediate levels and the root, and returns the root's offset. */
  writeRoot(): number {
    const middle = this.levels > 1 ? this.#root.middleEntry() : undefined
    // An only leaf stays the root, however long its last keys have made it: a level above it would want a middle entry.
    while (
      this.levels > 1 &&
      this.#root.rootBytes > this.#blockBytes &&
      this.#root.count > INTERMEDIATE_ENTRIES_MIN &&
      this.levels < LEVELS_MAX
    ) {
      this.#root = this.#writeIntermediateLevel(this.#root)
      this.levels++
    }
    const output = this.#output
    BlockWriter.start(output)
    this.#root.writeRoot(output)
    if (middle !== undefined) output.bytes(middle)
    return this.#finish(BlockType.RootIndex).offset
  }

  #writeLeaf(): void {
    const leaf = this.#leaf
    const block = this.#writeNonRoot(BlockType.LeafIndex, leaf)
    if (this.#root.count === 0) this.levels = 2
    this.#root.add(leaf.keys[0]!, block.offset, block.onDiskBytes)
    this.#root.entriesUpTo.push(this.#entries)
    this.#leaf = new IndexChunk()
  }

  #writeIntermediateLevel(level: IndexChunk): IndexChunk {
    const parent = new IndexChunk()
    let chunk = new IndexChunk()
    for (let i = 0; i < level.count; i++) {
      chunk.add(level.keys[i]!, level.offsets[i]!, level.onDiskBytes[i]!)
      const full = i >= INTERMEDIATE_ENTRIES_MIN && chunk.rootBytes >= this.#blockBytes
      if (!full && i + 1 < level.count) continue
      const block = this.#writeNonRoot(BlockType.IntermediateIndex, chunk)
      parent.add(chunk.keys[0]!, block.offset, block.onDiskBytes)
      chunk = new IndexChunk()
    }
    return parent
  }

  #writeNonRoot(type: BlockType, chunk: IndexChunk): WrittenBlock {
    BlockWriter.start(this.#output)
    chunk.writeNonRoot(this.#output)
    return this.#finish(type)
  }

  #finish(type: BlockType): WrittenBlock {
    const block = this.#blocks.finish(type, this.#output)
    this.payloadBytes += block.payloadBytes
    return block
  }
}
