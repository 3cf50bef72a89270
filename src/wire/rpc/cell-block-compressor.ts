/** Compression of whole cell blocks by Hadoop codecs that zlib knows. HBase: hbase.client.rpc.compressor. */

import { deflateSync, gunzipSync, gzipSync, inflateSync } from 'node:zlib'

export interface CellBlockCompressor {
  /** The codec's class in the connection header. */
  readonly javaClass: string
  compress(bytes: Buffer): Buffer
  /** Throws for bytes of another format, and for more than `bytesMax` decompressed bytes. */
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

/** The compressor of a class from hbase-site.xml; undefined for an unknown one. */
export function cellBlockCompressor(javaClass: string): CellBlockCompressor | undefined {
  return [GZIP, DEFLATE].find((compressor) => compressor.javaClass === javaClass)
}
