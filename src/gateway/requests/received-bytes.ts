import { setImmediate as nextTurn } from 'node:timers/promises'
import { EMPTY } from '../../model/bytes.ts'
import { ownMemory } from '../../model/mapped-memory.ts'
import type { MemoryGrant } from '../limits/memory-grant.ts'

/** The first buffer's size: smaller bodies mostly come in one piece, which is not copied. */
const FIRST_BYTES = 16 * 1024
/**
 * A sender that states a length gets memory for at most so many times what it has sent, so that nobody holds memory by a promise;
 * one that states none gets twice what it has sent.
 */
const AHEAD_OF_STATED = 8
const AHEAD_OF_UNSTATED = 2
/** What is copied at a time into a buffer that has grown: new memory comes page by page, so that 10 MB take the system many milliseconds. */
const COPY_BYTES = 1024 * 1024

/** A buffer whose bytes move over to a larger one. */
interface Outgrown {
  readonly bytes: Buffer
  /** What the grant has for it. */
  readonly granted: number
  copied: number
}

/** A body as it comes in, in one buffer that grows. */
export class ReceivedBytes {
  readonly #grant: MemoryGrant
  /** NaN: not stated. */
  readonly #stated: number
  #buffer: Buffer = EMPTY
  #length = 0
  /** What the grant has for the buffer: nothing for the only chunk so far, which is not copied. */
  #granted = 0
  #outgrown: Outgrown | undefined
  /** The grant has memory for as much again as the whole body: what it is made into. */
  #hasRoomForMade = false

  /** `stated`: the length that the sender has announced. */
  constructor(grant: MemoryGrant, stated: number = Number.NaN) {
    this.#grant = grant
    this.#stated = stated
  }

  get length(): number {
    return this.#length
  }

  /** What has come. */
  get begun(): Buffer {
    return this.#buffer.subarray(0, this.#length)
  }

  /** Takes memory for what the whole body is made into, unless it was taken with that of the body. Throws OVERLOADED. */
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
    // Where there can never be memory for both at once, that for the body comes first.
    const isWhole = capacity === this.#stated && this.#grant.canEverTake(capacity * 2)
    this.#grant.take(isWhole ? capacity * 2 : capacity, 'a request body', 'arrival')
    this.#hasRoomForMade = isWhole
    const grown = ownMemory(capacity)
    this.#moveOver(Number.POSITIVE_INFINITY)
    this.#outgrown = { bytes: this.#buffer.subarray(0, this.#length), granted: this.#granted, copied: 0 }
    this.#buffer = grown
    this.#granted = capacity
  }

  /** A stated length is reached in steps of one size, so that the last one moves an eighth of the body, and not nearly all of it. */
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

  /** Undefined where `whole` may be called at once; else it may be after this. */
  gathered(): Promise<void> | undefined {
    return this.#outgrown === undefined ? undefined : this.#gather()
  }

  async #gather(): Promise<void> {
    while (this.#outgrown !== undefined) {
      await nextTurn()
      this.#moveOver(COPY_BYTES)
    }
  }

  /** All bytes; nothing may be pushed after that. */
  whole(): Buffer {
    return this.#buffer.length === this.#length ? this.#buffer : this.#buffer.subarray(0, this.#length)
  }
}
