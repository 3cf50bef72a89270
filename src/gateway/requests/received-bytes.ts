import { setImmediate as nextTurn } from 'node:timers/promises'
import { EMPTY } from '../../model/bytes.ts'
import { ownMemory } from '../../model/mapped-memory.ts'
import type { MemoryGrant } from '../limits/memory-grant.ts'

/** Size of the first buffer. Smaller bodies mostly come in one piece, which is not copied. */
const FIRST_BYTES = 16 * 1024
/**
 * A sender that states a length gets memory for at most this many times the bytes that it has sent: a stated length alone must not hold
 * memory. A sender that states none gets twice the bytes that it has sent.
 */
const AHEAD_OF_STATED = 8
const AHEAD_OF_UNSTATED = 2
/** Bytes that are copied to a larger buffer in one step: the system maps new memory page by page, which takes milliseconds for 10 MB. */
const COPY_BYTES = 1024 * 1024

/** A buffer whose bytes are being copied to a larger one. */
interface Outgrown {
  readonly bytes: Buffer
  /** Bytes of the grant for this buffer. */
  readonly granted: number
  copied: number
}

/** A body that is being received, in one buffer that grows. */
export class ReceivedBytes {
  readonly #grant: MemoryGrant
  /** The length that the sender has stated; NaN: none. */
  readonly #stated: number
  #buffer: Buffer = EMPTY
  #length = 0
  /** Bytes of the grant for the buffer; 0 for a single chunk, which is not copied. */
  #granted = 0
  #outgrown: Outgrown | undefined
  /** True where the grant has memory for as much again as the whole body, for the values decoded from it. */
  #hasRoomForMade = false

  /** `stated`: the length that the sender has stated; NaN: none. */
  constructor(grant: MemoryGrant, stated: number = Number.NaN) {
    this.#grant = grant
    this.#stated = stated
  }

  get length(): number {
    return this.#length
  }

  /** The bytes received so far. */
  get begun(): Buffer {
    return this.#buffer.subarray(0, this.#length)
  }

  /** Takes memory for the values decoded from the whole body, unless it was taken with that of the body. Throws OVERLOADED. */
  takeForMade(what: string): void {
    if (!this.#hasRoomForMade) this.#grant.take(this.#length, what, 'arrival')
    this.#hasRoomForMade = true
  }

  /** Throws OVERLOADED. */
  push(chunk: Buffer): void {
    const length = this.#length + chunk.length
    if (this.#length === 0) {
      this.#buffer = chunk
    } else {
      if (this.#granted === 0 || length > this.#buffer.length) this.#grow(length)
      chunk.copy(this.#buffer, this.#length)
      this.#grant.spent(chunk.length)
      this.#moveOver(COPY_BYTES)
    }
    this.#length = length
  }

  #grow(length: number): void {
    const capacity = Math.max(FIRST_BYTES, this.#capacity(length))
    // Where there can never be memory for the body and its values at once, the body comes first.
    const isWhole = capacity === this.#stated && this.#grant.canEverTake(capacity * 2)
    this.#grant.take(isWhole ? capacity * 2 : capacity, 'a request body', 'arrival')
    this.#hasRoomForMade = isWhole
    const grown = ownMemory(capacity)
    this.#moveOver(Number.POSITIVE_INFINITY)
    this.#outgrown = { bytes: this.#buffer.subarray(0, this.#length), granted: this.#granted, copied: 0 }
    this.#buffer = grown
    this.#granted = capacity
  }

  /** Each step to a stated length has the same factor, so that the last one copies an eighth of the body, and not nearly all of it. */
  #capacity(length: number): number {
    let capacity = this.#stated
    if (!(capacity >= length)) return length * AHEAD_OF_UNSTATED
    while (capacity > FIRST_BYTES && capacity >= length * AHEAD_OF_STATED) {
      capacity = Math.ceil(capacity / AHEAD_OF_STATED)
    }
    return capacity
  }

  #moveOver(bytesMax: number): void {
    const outgrown = this.#outgrown
    if (outgrown === undefined) return
    const { bytes, granted, copied } = outgrown
    const end = Math.min(bytes.length, copied + bytesMax)
    bytes.copy(this.#buffer, copied, copied, end)
    outgrown.copied = end
    if (end < bytes.length) return
    this.#outgrown = undefined
    if (granted > 0) this.#grant.give(granted)
  }

  /** Resolves when `whole` may be called; undefined: at once. */
  gathered(): Promise<void> | undefined {
    return this.#outgrown === undefined ? undefined : this.#gather()
  }

  async #gather(): Promise<void> {
    while (this.#outgrown !== undefined) {
      await nextTurn()
      this.#moveOver(COPY_BYTES)
    }
  }

  /** All bytes. Nothing may be pushed afterwards. */
  whole(): Buffer {
    return this.#buffer.length === this.#length ? this.#buffer : this.#buffer.subarray(0, this.#length)
  }
}
