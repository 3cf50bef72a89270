/**
 * The memory of memstores, in chunks of 2 MB that are used again after a flush: touching fresh pages would halve the speed
 * of inserting. HBase: ChunkCreator.
 */

import { ownMemory } from '../../../src/model/mapped-memory.ts'
import { sharedMemory } from '../../../src/model/shared-memory.ts'
import { POISON } from '../platform/poison.ts'

export const CHUNK_BYTES: number = 2 * 1024 * 1024

const SMALL_CHUNK_BYTES = 32 * 1024

/** Too small to be kept for another memstore: a new one is as cheap. */
const FIRST_CHUNK_BYTES = 2 * 1024

/** 128 MB: the chunks that the flush of one region's memstore gives back. */
const FREE_BYTES_MAX = 64 * CHUNK_BYTES

export class ChunkPool {
  readonly #free: Buffer[] = []
  readonly #freeSmall: Buffer[] = []
  readonly #freeMax: number
  readonly poisons: boolean
  readonly #isShared: boolean
  /** The fewest that were free since the last `trim`. */
  #unused = 0
  #unusedSmall = 0

  /**
   * `freeBytesMax`: what free chunks may take. `poisons` overwrites chunks that are given back, so that a late reader shows in a test. `isShared`:
   * other threads read the chunks.
   */
  constructor(poisons = false, freeBytesMax: number = FREE_BYTES_MAX, isShared = false) {
    this.poisons = poisons
    this.#isShared = isShared
    this.#freeMax = Math.floor(Math.min(freeBytesMax, FREE_BYTES_MAX) / CHUNK_BYTES)
  }

  get freeCount(): number {
    return this.#free.length + this.#freeSmall.length
  }

  /** A chunk of CHUNK_BYTES, or of `bytes` if one cell needs more. Its content is arbitrary. */
  take(bytes: number): Buffer {
    if (bytes > CHUNK_BYTES) return this.#isShared ? sharedMemory(bytes) : ownMemory(bytes)
    const chunk = this.#free.pop() ?? this.#newChunk(CHUNK_BYTES)
    this.#unused = Math.min(this.#unused, this.#free.length)
    return chunk
  }

  /** As `take`, for a memstore's first cells: of thousands of regions most have little in memory. `before`: chunks that it has. */
  takeFirst(bytes: number, before: number): Buffer {
    if (before === 0 && bytes <= FIRST_CHUNK_BYTES) return this.#newChunk(FIRST_CHUNK_BYTES)
    if (bytes > SMALL_CHUNK_BYTES) return this.take(bytes)
    const chunk = this.#freeSmall.pop() ?? this.#newChunk(SMALL_CHUNK_BYTES)
    this.#unusedSmall = Math.min(this.#unusedSmall, this.#freeSmall.length)
    return chunk
  }

  #newChunk(bytes: number): Buffer {
    return this.#isShared ? sharedMemory(bytes) : Buffer.allocUnsafeSlow(bytes)
  }

  /** Takes back a chunk without readers. */
  give(chunk: Buffer): void {
    if (this.poisons) chunk.fill(POISON)
    if (chunk.length === SMALL_CHUNK_BYTES) {
      if (this.#freeSmall.length < this.#freeMax) this.#freeSmall.push(chunk)
      return
    }
    if (chunk.length === CHUNK_BYTES && this.#free.length < this.#freeMax) this.#free.push(chunk)
  }

  /** Lets go of the chunks that no memstore has needed since the last call. */
  trim(): void {
    this.#free.length -= this.#unused
    this.#freeSmall.length -= this.#unusedSmall
    this.#unused = this.#free.length
    this.#unusedSmall = this.#freeSmall.length
  }
}
