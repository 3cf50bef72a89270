import { EMPTY } from '../model/bytes.ts'
import { ownMemory } from '../model/mapped-memory.ts'
import type { MemoryBudget } from './memory-budget.ts'

/** First size of the buffer that gathers a message which comes in pieces. */
const GATHER_BYTES = 16 * 1024

/**
 * Received bytes that nobody has taken yet, in one piece: buffer[start..end). A chunk that comes to an empty queue is not
 * copied, and takes memory once it is known that something of it stays. The queue never moves or overwrites bytes in place, so that views of taken bytes stay good.
 */
export class ByteQueue {
  buffer: Buffer = EMPTY
  start = 0
  end = 0
  /** Whether the buffer was made here, and so has room after `end`. */
  #isOwn = false
  readonly #memory: MemoryBudget
  /** Memory that was taken for a chunk that is not copied. */
  #kept = 0
  /** Bytes that are yet to come and that nobody wants. */
  #unwanted = 0

  constructor(memory: MemoryBudget) {
    this.#memory = memory
  }

  get length(): number {
    return this.end - this.start
  }

  /** Takes chunk[from..). Throws OVERLOADED if it may be refused, and then has not taken the chunk. */
  push(chunk: Buffer, mayBeRefused = true, from = 0): void {
    if (this.#unwanted > 0) {
      const dropped = Math.min(this.#unwanted, chunk.length - from)
      this.#unwanted -= dropped
      from += dropped
      if (from === chunk.length) return
    }
    const { length } = this
    if (length === 0) {
      this.buffer = chunk
      this.start = from
      this.end = chunk.length
      this.#isOwn = false
      return
    }
    const pushed = chunk.length - from
    if (!this.#isOwn || this.end + pushed > this.buffer.length) {
      const capacity = Math.max(GATHER_BYTES, (length + pushed) * 2)
      if (mayBeRefused) this.#memory.take(capacity, 'a request')
      else this.#memory.note(capacity)
      const grown = ownMemory(capacity)
      this.buffer.copy(grown, 0, this.start, this.end)
      this.#giveBack()
      this.buffer = grown
      this.start = 0
      this.end = length
      this.#isOwn = true
    }
    chunk.copy(this.buffer, this.end, from)
    this.end += pushed
  }

  /** Removes the first `length` bytes and returns them. */
  take(length: number): Buffer {
    const { buffer, start } = this
    // Mostly a client sends one message and waits: a chunk that is one message needs no view.
    const isWhole = start === 0 && length === buffer.length
    const taken = isWhole ? buffer : buffer.subarray(start, start + length)
    this.start += length
    if (this.start === this.end) this.clear()
    return taken
  }

  /** What is there now stays until more comes. Throws OVERLOADED where there is no memory for it. */
  keep(): void {
    if (this.length === 0 || this.#isOwn || this.#kept > 0) return
    this.#memory.take(this.buffer.length, 'a request')
    this.#kept = this.buffer.length
  }

  /** Drops so many bytes, of those that are there and then of those that will come. */
  skip(bytes: number): void {
    const { length } = this
    if (bytes < length) this.start += bytes
    else {
      this.#unwanted = bytes - length
      this.clear()
    }
  }

  #giveBack(): void {
    this.#memory.give(this.#isOwn ? this.buffer.length : this.#kept)
    this.#kept = 0
  }

  clear(): void {
    this.#giveBack()
    this.buffer = EMPTY
    this.start = 0
    this.end = 0
    this.#isOwn = false
  }
}
