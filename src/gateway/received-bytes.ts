import { EMPTY } from '../model/bytes.ts'
import { ownMemory } from '../model/mapped-memory.ts'
import type { MemoryGrant } from './memory-budget.ts'

/** The first buffer's size: smaller bodies mostly come in one piece, which is not copied. */
const FIRST_BYTES = 16 * 1024
/**
 * A sender that states a length gets memory for at most so many times what it has sent, so that nobody holds memory by a promise;
 * one that states none gets twice what it has sent.
 */
const AHEAD_OF_STATED = 8
const AHEAD_OF_UNSTATED = 2

/** A body as it comes in, in one buffer that grows. */
export class ReceivedBytes {
  readonly #grant: MemoryGrant
  /** NaN: not stated. */
  readonly #stated: number
  #buffer: Buffer = EMPTY
  /** The only chunk so far, which is not copied. */
  #isChunk = true
  #length = 0

  /** `stated`: the length that the sender has announced. */
  constructor(grant: MemoryGrant, stated: number = Number.NaN) {
    this.#grant = grant
    this.#stated = stated
  }

  get length(): number {
    return this.#length
  }

  /** Throws OVERLOADED. */
  push(chunk: Buffer): void {
    const length = this.#length + chunk.length
    if (this.#length === 0) {
      this.#buffer = chunk
    } else {
      if (this.#isChunk || length > this.#buffer.length) this.#grow(length)
      chunk.copy(this.#buffer, this.#length)
    }
    this.#length = length
  }

  #grow(length: number): void {
    const capacity = Math.max(FIRST_BYTES, this.#capacity(length))
    this.#grant.take(capacity, 'a request body')
    const grown = ownMemory(capacity)
    this.#buffer.copy(grown, 0, 0, this.#length)
    if (!this.#isChunk) this.#grant.give(this.#buffer.length)
    this.#buffer = grown
    this.#isChunk = false
  }

  #capacity(length: number): number {
    const stated = this.#stated
    return stated >= length ? Math.min(stated, length * AHEAD_OF_STATED) : length * AHEAD_OF_UNSTATED
  }

  /** All bytes; nothing may be pushed after that. */
  whole(): Buffer {
    return this.#buffer.length === this.#length ? this.#buffer : this.#buffer.subarray(0, this.#length)
  }
}
