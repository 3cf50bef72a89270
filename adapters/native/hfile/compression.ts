/**
 * Compression of a file's blocks. The trailer states one codec for the whole file, which compresses every block, indexes
 * and bloom filters included.
 */

import { gunzipSync, gzipSync } from 'node:zlib'
import { type ChunkCodec, frame, unframe } from '../../../src/wire/hadoop/hadoop-framing.ts'
import { loadSnappy } from '../../../src/wire/hadoop/snappy-codec.ts'
import { loadLz4, loadZstd } from './compression/chunk-codecs.ts'

export interface BlockCodec {
  /** HBase's name for it in a family's COMPRESSION. */
  readonly name: string
  /** The codec's ordinal in Compression.Algorithm of HBase, which the trailer holds. PERSISTED: never renumber. */
  readonly ordinal: number
  /** The most bytes that a byte of compressed data can make: a block that claims more is damaged. */
  readonly expansionMax: number
  /** False where the codec's library has no build for this platform. */
  readonly isAvailable: boolean
  compress(payload: Buffer): Buffer
  /**
   * Writes the payload to target[0..payloadBytes) and returns its length, which the caller checks. Throws where the bytes
   * do not decompress, or to more than that.
   */
  decompress(source: Buffer, target: Buffer, payloadBytes: number): number
}

export const NO_COMPRESSION: BlockCodec = {
  name: 'NONE',
  ordinal: 2,
  expansionMax: 1,
  isAvailable: true,
  compress: (payload) => payload,
  decompress: (source, target) => source.copy(target),
}

export const GZ_COMPRESSION: BlockCodec = {
  name: 'GZ',
  ordinal: 1,
  // Two bits for a repeat of 258 bytes.
  expansionMax: 1032,
  isAvailable: true,
  compress: (payload) => gzipSync(payload),
  // zlib refuses a limit of 0, the payload size of an empty meta index.
  decompress: (source, target, payloadBytes) =>
    gunzipSync(source, { maxOutputLength: Math.max(payloadBytes, 1) }).copy(target),
}

/** A codec in Hadoop's framing, whose library is loaded by the first block. */
export class FramedCodec implements BlockCodec {
  readonly name: string
  readonly ordinal: number
  readonly expansionMax: number
  readonly #load: () => ChunkCodec
  #loaded: ChunkCodec | Error | undefined

  constructor(name: string, ordinal: number, expansionMax: number, load: () => ChunkCodec) {
    this.name = name
    this.ordinal = ordinal
    this.expansionMax = expansionMax
    this.#load = load
  }

  get isAvailable(): boolean {
    return !(this.#codecOrError() instanceof Error)
  }

  compress(payload: Buffer): Buffer {
    return frame(payload, this.#codec())
  }

  decompress(source: Buffer, target: Buffer, payloadBytes: number): number {
    return unframe(source, target, payloadBytes, this.#codec())
  }

  #codec(): ChunkCodec {
    const codec = this.#codecOrError()
    if (codec instanceof Error) throw codec
    return codec
  }

  #codecOrError(): ChunkCodec | Error {
    if (this.#loaded === undefined) {
      try {
        this.#loaded = this.#load()
      } catch (error) {
        this.#loaded = error instanceof Error ? error : new Error(String(error))
      }
    }
    return this.#loaded
  }
}

/** The first four bytes of a bare ZSTD frame. */
const ZSTD_MAGIC = Buffer.from('28b52ffd', 'hex')

/**
 * HBase's own codec frames ZSTD as the others; Hadoop's native one, HBase's default, writes
 * bare frames. As a length the magic would be 650 MB, more than any block has.
 */
class ZstdCodec extends FramedCodec {
  readonly #loadChunks: () => ChunkCodec

  constructor(load: () => ChunkCodec) {
    // Four bytes for a run of 128 KiB.
    super('ZSTD', 6, 32 * 1024, load)
    this.#loadChunks = load
  }

  override decompress(source: Buffer, target: Buffer, payloadBytes: number): number {
    if (!source.subarray(0, 4).equals(ZSTD_MAGIC)) return super.decompress(source, target, payloadBytes)
    const payload = this.#loadChunks().decompress(source, payloadBytes)
    target.set(payload)
    return payload.length
  }
}

/** Names in Compression.Algorithm by ordinal, for messages about codecs that Tidegate lacks. */
const ALGORITHM_NAMES: readonly string[] = [
  'LZO',
  'GZ',
  'NONE',
  'SNAPPY',
  'LZ4',
  'BZIP2',
  'ZSTD',
  'LZMA',
  'BROTLI',
]

export const BLOCK_CODECS: readonly BlockCodec[] = [
  NO_COMPRESSION,
  GZ_COMPRESSION,
  // Three bytes for a repeat of 64 bytes.
  new FramedCodec('SNAPPY', 3, 22, loadSnappy),
  // A byte for 255 bytes more of a repeat.
  new FramedCodec('LZ4', 4, 255, loadLz4),
  new ZstdCodec(once(loadZstd)),
]

/** Undefined for a codec that Tidegate lacks, and for one whose library is not there. */
export function codecByOrdinal(ordinal: number): BlockCodec | undefined {
  return BLOCK_CODECS.find((codec) => codec.ordinal === ordinal && codec.isAvailable)
}

/** The codec of a family's COMPRESSION; upper and lower case are the same. */
export function codecByName(name: string): BlockCodec | undefined {
  const upper = name.toUpperCase()
  return BLOCK_CODECS.find((codec) => codec.name === upper && codec.isAvailable)
}

/** Names of the codecs that are there: asking for one loads its library. */
export const AVAILABLE_CODECS: Pick<ReadonlySet<string>, 'has'> = {
  has: (name) => codecByName(name) !== undefined,
}

export function algorithmName(ordinal: number): string {
  return ALGORITHM_NAMES[ordinal] ?? `number ${ordinal}`
}

function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}
