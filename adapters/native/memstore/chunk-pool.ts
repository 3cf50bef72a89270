/**
 * The memory that memstores keep cells in, in pieces of 2 MB that are used again after a flush: touching fresh pages
 * would halve the speed of inserting. HBase: ChunkCreator.
 */

import { POISON } from '../platform/poison.ts'

export const CHUNK_BYTES: number = 2 * 1024 * 1024

/** 128 MB, what one region's memstore gives back when it has been flushed. */
const FREE_CHUNKS_MAX = 64

export class ChunkPool {
  readonly #free: Buffer[] = []
  readonly #poisons: boolean

  /** `poisons`: what is given back is overwritten, so that a test sees who reads it still. */
  constructor(poisons = false) {
    this.#poisons = poisons
  }

  get freeCount(): number {
    return this.#free.length
  }

  /** A chunk with room for `bytes`: of CHUNK_BYTES, or larger where one cell needs more. Its content is arbitrary. */
  take(bytes: number): Buffer {
    if (bytes > CHUNK_BYTES) return Buffer.allocUnsafeSlow(bytes)
    return this.#free.pop() ?? Buffer.allocUnsafeSlow(CHUNK_BYTES)
  }

  /** Takes a chunk back that nobody reads any more. */
  give(chunk: Buffer): void {
    if (this.#poisons) chunk.fill(POISON)
    if (chunk.length === CHUNK_BYTES && this.#free.length < FREE_CHUNKS_MAX) this.#free.push(chunk)
  }
}
