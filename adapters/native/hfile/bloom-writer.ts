import { EMPTY } from '../../../src/model/bytes.ts'
import { MURMUR_HASH, murmurHash } from '../cells/murmur-hash.ts'
import { BlockType } from './block-type.ts'
import { BlockWriter } from './block-writer.ts'
import { ByteOutput } from './byte-output.ts'
import { SingleLevelIndexWriter } from './index-writer.ts'

/** io.storefile.bloom.block.size; a multiple of 2^7, so that a part-filled chunk can be folded seven times. */
const CHUNK_BYTES: number = 128 * 1024
/** CompoundBloomFilterBase.VERSION. PERSISTED: never renumber. */
export const BLOOM_VERSION = 3

/** HBase: BloomFilterFactory keeps the rate as a float; the sizes below follow from the float's exact value. */
const ERROR_RATE: number = Math.fround(0.01)

export type BloomKeyForm = 'ROW' | 'ROWCOL'

/** How many keys a chunk takes and how many bits a key sets. HBase: BloomFilterUtil.createBySize. */
function chunkShape(form: BloomKeyForm): { maxKeys: number; hashCount: number } {
  // A lookup of a column asks twice, for the column and for the whole row, so each may fail half as often.
  const errorRate = form === 'ROWCOL' ? Math.fround(1 - Math.sqrt(Math.fround(1 - ERROR_RATE))) : ERROR_RATE
  const bits = CHUNK_BYTES * 8
  const idealKeys = Math.trunc(bits * ((Math.LN2 * Math.LN2) / -Math.log(errorRate)))
  const hashCount = Math.ceil(Math.LN2 * Math.trunc(bits / idealKeys))
  const maxKeys = Math.trunc(
    ((-bits * 1) / hashCount) * Math.log(1 - Math.exp(Math.log(errorRate) / hashCount)),
  )
  return { maxKeys, hashCount }
}

/**
 * A compound bloom filter: chunks of 128 KB, written among the data as they fill up. A block at the end states how to read them and with
 * which key each begins. HBase: CompoundBloomFilterWriter, BloomFilterChunk.
 */
export class BloomWriter {
  keyCount = 0
  readonly #form: BloomKeyForm
  readonly #blocks: BlockWriter
  readonly #index = new SingleLevelIndexWriter()
  readonly #hashCount: number
  readonly #maxKeys: number
  /** The chunk being filled. */
  #bits: Buffer = EMPTY
  #chunkKeys = 0
  #firstKey: Buffer = EMPTY
  /** Full chunks wait for a block boundary; with one cell a block never more than one. */
  readonly #ready: { firstKey: Buffer; bits: Buffer }[] = []
  #totalBytes = 0
  #totalMaxKeys = 0

  constructor(form: BloomKeyForm, blocks: BlockWriter) {
    const { maxKeys, hashCount } = chunkShape(form)
    this.#form = form
    this.#blocks = blocks
    this.#maxKeys = maxKeys
    this.#hashCount = hashCount
  }

  /** Callers add keys in order, each row or column once. */
  add(key: Buffer, offset: number, bytes: number): void {
    if (this.#chunkKeys === this.#maxKeys) this.#closeChunk()
    if (this.#chunkKeys === 0) this.#startChunk(Buffer.from(key.subarray(offset, offset + bytes)))
    const bits = this.#bits
    const first = murmurHash(key, offset, bytes, 0)
    const second = murmurHash(key, offset, bytes, first)
    let hash = first
    for (let i = 0; i < this.#hashCount; i++) {
      const bit = Math.abs(hash % (CHUNK_BYTES * 8))
      bits[bit >>> 3]! |= 1 << (bit & 7)
      hash = (hash + second) | 0
    }
    this.#chunkKeys++
    this.keyCount++
  }

  /** Writes the full chunks. */
  writeFullChunks(): void {
    if (this.#chunkKeys === this.#maxKeys) this.#closeChunk()
    this.#writeReady()
  }

  /** Writes the last chunk after the last key. */
  finishChunks(): void {
    if (this.#chunkKeys > 0) this.#closeChunk()
    this.#writeReady()
  }

  /** The filter's own block of the load-on-open section. */
  writeMeta(type: typeof BlockType.GeneralBloomMeta | typeof BlockType.DeleteFamilyBloomMeta): void {
    const output = new ByteOutput(256)
    BlockWriter.start(output)
    output.int32(BLOOM_VERSION)
    output.long(this.#totalBytes)
    output.int32(this.#hashCount)
    output.int32(MURMUR_HASH)
    output.long(this.keyCount)
    output.long(this.#totalMaxKeys)
    output.int32(this.#index.count)
    output.byteArray(
      this.#form === 'ROWCOL' ? Buffer.from('org.apache.hadoop.hbase.CellComparatorImpl') : EMPTY,
    )
    this.#index.write(output)
    this.#blocks.finish(type, output)
  }

  #startChunk(firstKey: Buffer): void {
    this.#firstKey = firstKey
    this.#bits = Buffer.alloc(CHUNK_BYTES)
  }

  /** Halves a chunk as long as its keys have room: bits wrap around, since its size is a power of two. */
  #closeChunk(): void {
    let bytes = CHUNK_BYTES
    let maxKeys = this.#maxKeys
    const bits = this.#bits
    while ((bytes & 1) === 0 && maxKeys > this.#chunkKeys * 2) {
      bytes >>= 1
      maxKeys >>= 1
    }
    fold(bits, bytes)
    this.#ready.push({ firstKey: this.#firstKey, bits: bits.subarray(0, bytes) })
    this.#totalBytes += bytes
    this.#totalMaxKeys += maxKeys
    this.#chunkKeys = 0
  }

  #writeReady(): void {
    for (const { firstKey, bits } of this.#ready) {
      const output = new ByteOutput(bits.length + 256)
      BlockWriter.start(output)
      output.bytes(bits)
      this.#index.add(firstKey, this.#blocks.finish(BlockType.BloomChunk, output))
    }
    this.#ready.length = 0
  }
}

/** Folds the bits after the first `bytes`, a power of two, over them. `bits` has a buffer of its own. */
function fold(bits: Buffer, bytes: number): void {
  const words = new Int32Array(bits.buffer, bits.byteOffset, bits.length >> 2)
  let halfWords = words.length >> 1
  for (; halfWords > 0 && halfWords << 2 >= bytes; halfWords >>= 1) {
    for (let at = 0; at < halfWords; at++) words[at]! |= words[at + halfWords]!
  }
  for (let half = 2; half >= bytes; half >>= 1) {
    for (let at = 0; at < half; at++) bits[at]! |= bits[at + half]!
  }
}
