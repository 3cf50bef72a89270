/**
 * Compression of a file's blocks. The trailer states one codec for the whole file, which compresses every block, indexes
 * and bloom filters included.
 */

import { gunzipSync, gzipSync } from 'node:zlib'

export interface BlockCodec {
  /** HBase's name for it in a family's COMPRESSION. */
  readonly name: string
  /** The codec's ordinal in Compression.Algorithm of HBase, which the trailer holds. PERSISTED: never renumber. */
  readonly ordinal: number
  compress(payload: Buffer): Buffer
  /** Throws where the bytes do not decompress; the caller checks the length of the result. */
  decompress(source: Buffer, payloadBytes: number): Buffer
}

export const NO_COMPRESSION: BlockCodec = {
  name: 'NONE',
  ordinal: 2,
  compress: (payload) => payload,
  decompress: (source) => source,
}

export const GZ_COMPRESSION: BlockCodec = {
  name: 'GZ',
  ordinal: 1,
  compress: (payload) => gzipSync(payload),
  // zlib refuses a limit of 0, the payload size of an empty meta index.
  decompress: (source, payloadBytes) => gunzipSync(source, { maxOutputLength: Math.max(payloadBytes, 1) }),
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

const CODECS: readonly BlockCodec[] = [NO_COMPRESSION, GZ_COMPRESSION]

export function codecByOrdinal(ordinal: number): BlockCodec | undefined {
  return CODECS.find((codec) => codec.ordinal === ordinal)
}

/** Finds a codec by a family's COMPRESSION; upper and lower case are the same. */
export function codecByName(name: string): BlockCodec | undefined {
  return CODECS.find((codec) => codec.name === name.toUpperCase())
}

export function algorithmName(ordinal: number): string {
  return ALGORITHM_NAMES[ordinal] ?? `number ${ordinal}`
}
