/** Snappy, loaded when it is first asked for. */

import { createRequire } from 'node:module'
import type * as Snappy from 'snappy'
import type { ChunkCodec } from './hadoop-framing.ts'

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
