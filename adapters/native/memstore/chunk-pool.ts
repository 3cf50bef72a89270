/**
 * The memory of memstores, in chunks of 2 MB that are used again after a flush: touching fresh pages would halve the speed
 * of inserting. HBase: ChunkCreator.
 */

import { POISON } from '../platform/poison.ts'

export const CHUNK_BYTES: number = 2 * 1024 * 1024

const SMALL_CHUNK_BYTES = 32 * 1024

/** 128 MB: the chunks that the flush of one region's memstore gives back. */
const FREE_CHUNKS_MAX = 64

export class ChunkPool {
  readonly #free: Buffer[] = []
  readonly #freeSmall: Buffer[] = []
  readonly #poisons: boolean

  /** `poisons` overwrites chunks that are given back, so that a late reader shows in a test. */
  constructor(poisons = false) {
    this.#poisons = poisons
  }

  get freeCount(): number {
    return this.#free.length + this.#freeSmall.length
  }

  /** A chunk of CHUNK_BYTES, or of `bytes` if one cell needs more. Its content is arbitrary. */
  take(bytes: number): Buffer {
    if (bytes > CHUNK_BYTES) return Buffer.allocUnsafeSlow(bytes)
    return this.#free.pop() ?? Buffer.allocUnsafeSlow(CHUNK_BYTES)
  }

  /** As `take`, for a memstore's first cells: of thousands of regions most have little in memory. */
  takeFirst(bytes: number): Buffer {
    if (bytes > SMALL_CHUNK_BYTES) return this.take(bytes)
    return this.#freeSmall.pop() ?? Buffer.allocUnsafeSlow(SMALL_CHUNK_BYTES)
  }

  /** Takes back a chunk without readers. */
  give(chunk: Buffer): void {
    if (this.#poisons) chunk.fill(POISON)
    if (chunk.length === SMALL_CHUNK_BYTES) {
      if (this.#freeSmall.length < FREE_CHUNKS_MAX) this.#freeSmall.push(chunk)
      return
    }
    if (chunk.length === CHUNK_BYTES && this.#free.length < FREE_CHUNKS_MAX) this.#free.push(chunk)
  }
}
