/**
 * The codecs that packages bring, loaded when the first block asks for one: most stores need none of them. A package
 * without a build for this platform throws when it is loaded; then the codec is not available.
 */

import { createRequire } from 'node:module'
import * as zlib from 'node:zlib'
import type * as Lz4 from 'lz4-napi'
import type { ChunkCodec } from '../../../../src/wire/hadoop/hadoop-framing.ts'
import { loadZstdModule } from './zstd-module.ts'

const load = createRequire(import.meta.url)

/** Throws where the package cannot be loaded. */
export function loadLz4(): ChunkCodec {
  const { compressSync, uncompressSync } = load('lz4-napi') as typeof Lz4
  return {
    // The package puts the original's length before the block, little-endian.
    compress: (chunk) => compressSync(chunk).subarray(4),
    decompress(chunk, bytesMax) {
      const prefixed = Buffer.allocUnsafe(4 + chunk.length)
      prefixed.writeInt32LE(bytesMax)
      chunk.copy(prefixed, 4)
      return uncompressSync(prefixed)
    },
  }
}

/** Node's own functions since 22.15. */
interface ZstdOfNode {
  readonly zstdCompressSync?: (data: Buffer, options: object) => Buffer
  readonly zstdDecompressSync?: (data: Buffer, options: object) => Buffer
}

/** Node's own codec where it has one, or else WebAssembly. Throws where neither can be loaded. */
export function loadZstd(): ChunkCodec {
  const { zstdCompressSync, zstdDecompressSync } = zlib as ZstdOfNode
  if (zstdCompressSync === undefined || zstdDecompressSync === undefined) return loadZstdModule()
  return {
    compress: (chunk) => zstdCompressSync(chunk, {}),
    decompress: (chunk, bytesMax) => zstdDecompressSync(chunk, { maxOutputLength: Math.max(bytesMax, 1) }),
  }
}
