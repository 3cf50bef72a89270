/**
 * The codecs that packages bring, loaded when the first block asks for one: most stores need none of them. A package
 * without a build for this platform throws when it is loaded; then the codec is not available.
 */

import { createRequire } from 'node:module'
import * as zlib from 'node:zlib'
import type * as Lz4 from 'lz4-napi'
import type * as Snappy from 'snappy'
import type { ChunkCodec } from './hadoop-framing.ts'
import { loadZstdModule } from './zstd-module.ts'

const load = createRequire(import.meta.url)

/** Throws where the package cannot be loaded. */
export function loadSnappy(): ChunkCodec {
  const { compressSync, uncompressSync } = load('snappy') as typeof Snappy
  return {
    compress: (chunk) => compressSync(chunk),
    decompress(chunk, bytesMax) {
      checkStated(statedSnappyBytes(chunk), bytesMax)
      return uncompressSync(chunk, { asBuffer: true }) as Buffer
    },
  }
}

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

/** The original's length, which a Snappy block begins with as a varint. */
function statedSnappyBytes(chunk: Buffer): number {
  let value = 0
  for (let i = 0; i < 5 && i < chunk.length; i++) {
    value += (chunk[i]! & 0x7f) * 2 ** (7 * i)
    if (chunk[i]! < 0x80) return value
  }
  return Number.POSITIVE_INFINITY
}

/** Before the package allocates what a damaged block claims. */
function checkStated(bytes: number, bytesMax: number): void {
  if (bytes > bytesMax) throw new Error(`a chunk claims ${bytes} bytes`)
}
