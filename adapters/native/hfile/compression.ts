/**
 * How the blocks of a file are compressed. The trailer states one codec for the whole file; every block but the trailer
 * goes through it, indexes and bloom filters included.
 */

import { gunzipSync, gzipSync } from 'node:zlib'

export interface BlockCodec {
  /** HBase's name for it in a family's COMPRESSION. */
  readonly name: string
  /** Its place in HBase's Compression.Algorithm, which the trailer holds. PERSISTED: never renumber. */
  readonly ordinal: number
  compress(payload: Buffer): Buffer
  /** Throws where the bytes do not decompress; the caller checks the length of what comes out. */
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
  // zlib refuses a limit of 0, which an empty meta index would ask for.
  decompress: (source, payloadBytes) => gunzipSync(source, { maxOutputLength: Math.max(payloadBytes, 1) }),
}

/** Compression.Algorithm by ordinal, for messages about codecs that are not here. */
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

/** By the value of a family's COMPRESSION, in any case. */
export function codecByName(name: string): BlockCodec | undefined {
  return CODECS.find((codec) => codec.name === name.toUpperCase())
}

export function algorithmName(ordinal: number): string {
  return ALGORITHM_NAMES[ordinal] ?? `number ${ordinal}`
}
