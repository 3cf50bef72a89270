import { EMPTY } from '../model/bytes.ts'
import { ownMemory } from '../model/mapped-memory.ts'
import type { MemoryBudget } from './memory-budget.ts'

/** First size of the buffer that gathers a message which comes in pieces. */
const GATHER_BYTES = 16 * 1024

/**
 * Received bytes that nobody has taken yet, in one piece: buffer[start..end). A chunk that comes to an empty queue is not
 * copied. The queue never moves or overwrites bytes in place, so that views of taken bytes stay good.
 */
export class ByteQueue {
  buffer: Buffer = EMPTY
  start = 0
  end = 0
  /** Whether the buffer was made here, and so has room after `end`. */
  #isOwn = false
  readonly #memory: MemoryBudget
  /** Bytes that are yet to come and that nobody wants. */
  #unwanted = 0

  constructor(memory: MemoryBudget) {
    this.#memory = memory
  }

  get length(): number {
    return this.end - this.start
  }

  /** Throws OVERLOADED if it may be refused, and then has not taken the chunk. */
  push(chunk: Buffer, mayBeRefused = true): void {
    if (this.#unwanted > 0) {
      const dropped = Math.min(this.#unwanted, chunk.length)
      this.#unwanted -= dropped
      if (dropped === chunk.length) return
      chunk = chunk.subarray(dropped)
    }
    const { length } = this
    if (length === 0) {
      this.buffer = chunk
      this.start = 0
      this.end = chunk.length
      this.#isOwn = false
      return
    }
    if (!this.#isOwn || this.end + chunk.length > this.buffer.length) {
      const capacity = Math.max(GATHER_BYTES, (length + chunk.length) * 2)
      if (mayBeRefused) this.#memory.take(capacity, 'a request')
      else this.#memory.note(capacity)
      const grown = ownMemory(capacity)
      this.buffer.copy(grown, 0, this.start, this.end)
      if (this.#isOwn) this.#memory.give(this.buffer.length)
      this.buffer = grown
      this.start = 0
      this.end = length
      this.#isOwn = true
    }
    chunk.copy(this.buffer, this.end)
    this.end += chunk.length
  }

  /** Removes the first `length` bytes and returns them. */
  take(length: number): Buffer {
    const taken = this.buffer.subarray(this.start, this.start + length)
    this.start += length
    if (this.start === this.end) this.clear()
    return taken
  }

  /** Drops what is there, and so many bytes that will come. */
  skip(bytes: number): void {
    this.#unwanted = bytes - this.length
    this.clear()
  }

  clear(): void {
    if (this.#isOwn) this.#memory.give(this.buffer.length)
    this.buffer = EMPTY
    this.start = 0
    this.end = 0
    this.#isOwn = false
  }
}
