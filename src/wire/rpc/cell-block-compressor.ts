/** Compression of whole cell blocks by Hadoop's codecs. HBase: hbase.client.rpc.compressor. */

import type { Transform } from 'node:stream'
import { promisify } from 'node:util'
import {
  createGunzip,
  createInflate,
  deflate,
  deflateSync,
  gunzipSync,
  gzip,
  gzipSync,
  inflateSync,
} from 'node:zlib'
import { snappyCompressor } from './snappy-compressor.ts'

/** A thread decompresses so much at a time. */
const PIECE_BYTES = 64 * 1024

export interface CellBlockCompressor {
  /** The codec's class in the connection header. */
  readonly javaClass: string
  compress(bytes: Buffer): Buffer
  /** Throws for bytes of another format, and for more than `bytesMax` decompressed bytes. */
  decompress(bytes: Buffer, bytesMax: number): Buffer
  /** As compress, in a thread of zlib's, while other work goes on. */
  compressAside(bytes: Buffer): Promise<Buffer>
  /** Decompresses what is written to it in a thread of zlib's, in pieces. It fails for bytes of another format. */
  decompressor(): Transform
}

export const GZIP: CellBlockCompressor = {
  javaClass: 'org.apache.hadoop.io.compress.GzipCodec',
  compress: (bytes) => gzipSync(bytes),
  decompress: (bytes, bytesMax) => gunzipSync(bytes, { maxOutputLength: bytesMax }),
  compressAside: promisify<Buffer, Buffer>(gzip),
  decompressor: () => createGunzip({ chunkSize: PIECE_BYTES }),
}

export const DEFLATE: CellBlockCompressor = {
  javaClass: 'org.apache.hadoop.io.compress.DefaultCodec',
  compress: (bytes) => deflateSync(bytes),
  decompress: (bytes, bytesMax) => inflateSync(bytes, { maxOutputLength: bytesMax }),
  compressAside: promisify<Buffer, Buffer>(deflate),
  decompressor: () => createInflate({ chunkSize: PIECE_BYTES }),
}

/** Hadoop's own class, and those of HBase's modules. */
export const SNAPPY_CLASSES: readonly string[] = [
  'org.apache.hadoop.io.compress.SnappyCodec',
  'org.apache.hadoop.hbase.io.compress.xerial.SnappyCodec',
  'org.apache.hadoop.hbase.io.compress.aircompressor.SnappyCodec',
]

/** The compressor of a class from hbase-site.xml; undefined for an unknown one, or one without a build for this platform. */
export function cellBlockCompressor(javaClass: string): CellBlockCompressor | undefined {
  if (SNAPPY_CLASSES.includes(javaClass)) return snappyCompressor(javaClass)
  return [GZIP, DEFLATE].find((compressor) => compressor.javaClass === javaClass)
}
