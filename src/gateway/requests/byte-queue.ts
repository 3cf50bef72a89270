import { EMPTY } from '../../model/bytes.ts'
import { ownMemory } from '../../model/mapped-memory.ts'
import type { MemoryBudget } from '../limits/memory-budget.ts'

/** First size of the buffer that gathers a message which comes in pieces. */
const GATHER_BYTES = 16 * 1024
/** As in ReceivedBytes: a sender gets memory for no more than so many times what it has sent. */
const AHEAD_OF_STATED = 8
const AHEAD_OF_UNSTATED = 2
/** Room behind a whole message for the begin of the next one, which may come in the same chunk. */
const CHUNK_BYTES = 64 * 1024
/** A larger message takes its memory, and as much again for what it is made into. */
const COUNTED_BYTES = 64 * 1024
const MADE_OF_MESSAGE = 2
/** Of a message, what says which call it is, and its length before it. */
const HEAD_BYTES = 512
/** A message so large does not share its memory with a next one. */
const LARGE_BYTES = 256 * 1024

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
  /** Memory that was taken for what is there now. */
  #taken = 0
  /**
   * Length of the first message, where it is known. Once there is memory for all of it, there also is for as much again: what it is
   * made into.
   */
  stated = 0
  /** Bytes that are yet to come and that nobody wants. */
  #unwanted = 0

  constructor(memory: MemoryBudget) {
    this.#memory = memory
  }

  get length(): number {
    return this.end - this.start
  }

  /**
   * Takes chunk[from..). Throws as MemoryBudget.take if it may be refused, and then has not taken the chunk: TOO_LARGE, too, as soon as it is
   * known that the first message, and what it is made into, never have room.
   */
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
      const capacity = this.#capacity(length + pushed)
      const isWhole = this.stated > 0 && capacity >= this.stated
      const whole = capacity + this.stated
      const bytes = isWhole && this.#taken + whole <= this.#memory.bytesMax ? whole : capacity
      if (mayBeRefused) this.#takeFor(bytes)
      else this.#memory.note(bytes)
      const grown = ownMemory(capacity)
      this.buffer.copy(grown, 0, this.start, this.end)
      this.#giveBack()
      this.#taken = bytes
      this.buffer = grown
      this.start = 0
      this.end = length
      this.#isOwn = true
    }
    chunk.copy(this.buffer, this.end, from)
    this.end += pushed
    this.#memory.spent(pushed)
  }

  #takeFor(bytes: number): void {
    const { stated } = this
    // Its head is needed to answer it.
    if (stated > COUNTED_BYTES && this.length >= HEAD_BYTES)
      this.#memory.checkEver(stated * MADE_OF_MESSAGE - HEAD_BYTES, 'a request')
    this.#memory.take(bytes, 'a request', 'arrival', this.#taken)
  }

  #capacity(length: number): number {
    const { stated } = this
    if (stated < length) return Math.max(GATHER_BYTES, length * AHEAD_OF_UNSTATED)
    return Math.min(stated + CHUNK_BYTES, Math.max(GATHER_BYTES, length * AHEAD_OF_STATED))
  }

  /** Memory that the queue holds. */
  get taken(): number {
    return this.#taken
  }

  /** Removes the first `length` bytes and returns them. */
  take(length: number): Buffer {
    const { buffer, start } = this
    // Mostly a client sends one message and waits: a chunk that is one message needs no view.
    const isWhole = start === 0 && length === buffer.length
    const taken = isWhole ? buffer : buffer.subarray(start, start + length)
    this.start += length
    this.stated = 0
    if (this.start === this.end) this.clear()
    else if (this.#isOwn && length >= LARGE_BYTES && this.length <= CHUNK_BYTES) this.#leaveBuffer()
    return taken
  }

  /** The memory of a large message is its own: what came behind it moves. */
  #leaveBuffer(): void {
    const rest = Buffer.from(this.buffer.subarray(this.start, this.end))
    this.clear()
    this.buffer = rest
    this.end = rest.length
  }

  /** What is there now stays until more comes. Throws OVERLOADED where there is no memory for it. */
  keep(): void {
    if (this.length === 0 || this.#isOwn || this.#taken > 0) return
    this.#memory.take(this.buffer.length, 'a request', 'arrival')
    this.#taken = this.buffer.length
  }

  /** Drops so many bytes, of those that are there and then of those that will come. */
  skip(bytes: number): void {
    const { length } = this
    this.stated = 0
    if (bytes < length) this.start += bytes
    else {
      this.#unwanted = bytes - length
      this.clear()
    }
  }

  #giveBack(): void {
    this.#memory.give(this.#taken)
    this.#taken = 0
  }

  clear(): void {
    this.#giveBack()
    this.buffer = EMPTY
    this.start = 0
    this.end = 0
    this.#isOwn = false
  }
}
