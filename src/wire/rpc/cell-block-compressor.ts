/** Whole cell blocks compressed, as hbase.client.rpc.compressor asks for: by codecs of Hadoop that zlib knows. */

import { deflateSync, gunzipSync, gzipSync, inflateSync } from 'node:zlib'

export interface CellBlockCompressor {
  /** As the connection header names it. */
  readonly javaClass: string
  compress(bytes: Buffer): Buffer
  /** Throws where the bytes are not compressed so, or become more than `bytesMax`. */
  decompress(bytes: Buffer, bytesMax: number): Buffer
}

export const GZIP: CellBlockCompressor = {
  javaClass: 'org.apache.hadoop.io.compress.GzipCodec',
  compress: (bytes) => gzipSync(bytes),
  decompress: (bytes, bytesMax) => gunzipSync(bytes, { maxOutputLength: bytesMax }),
}

export const DEFLATE: CellBlockCompressor = {
  javaClass: 'org.apache.hadoop.io.compress.DefaultCodec',
  compress: (bytes) => deflateSync(bytes),
  decompress: (bytes, bytesMax) => inflateSync(bytes, { maxOutputLength: bytesMax }),
}

/** By the class that hbase-site.xml names; undefined for one that is not here. */
export function cellBlockCompressor(javaClass: string): CellBlockCompressor | undefined {
  return [GZIP, DEFLATE].find((compressor) => compressor.javaClass === javaClass)
}
