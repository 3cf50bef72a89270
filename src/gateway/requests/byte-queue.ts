import { EMPTY } from '../../model/bytes.ts'
import { ownMemory } from '../../model/mapped-memory.ts'
import type { MemoryBudget } from '../limits/memory-budget.ts'

/** First size of the buffer that gathers the pieces of a message. */
const GATHER_BYTES = 16 * 1024
/** The factor of ReceivedBytes: a sender gets memory for at most this many times the bytes that it has sent. */
const AHEAD_OF_STATED = 8
const AHEAD_OF_UNSTATED = 2
/** Room behind a whole message for the beginning of the next one, which may come in the same chunk. */
const CHUNK_BYTES = 64 * 1024
/** A larger message takes its own size, and as much again for the values decoded from it. */
const COUNTED_BYTES = 64 * 1024
const MADE_OF_MESSAGE = 2
/** Bytes at the beginning of a message that contain its length and the name of the call. */
const HEAD_BYTES = 512
/** A message of this size does not share its memory with the next one. */
const LARGE_BYTES = 256 * 1024

/**
 * Received bytes that are not taken yet, in one piece: buffer[start..end). A chunk that comes to an empty queue is not
 * copied, and takes memory only once a part of it stays (`keep`). The queue never moves or overwrites bytes in place, so that views of taken
 * bytes stay valid.
 */
export class ByteQueue {
  buffer: Buffer = EMPTY
  start = 0
  end = 0
  /** True where the queue made the buffer, which then has room after `end`. */
  #isOwn = false
  readonly #memory: MemoryBudget
  /** Bytes of memory that the queue has taken for the buffer. */
  #taken = 0
  /**
   * Length of the first message; 0 while it is unknown. Memory for a whole message includes as much again, for the values decoded
   * from it.
   */
  stated = 0
  /** Bytes still to come that the queue drops. */
  #unwanted = 0

  constructor(memory: MemoryBudget) {
    this.#memory = memory
  }

  get length(): number {
    return this.end - this.start
  }

  /** Bytes that have come and wait for others, in the form in which the client sends them. */
  get waiting(): number {
    return this.length
  }

  /**
   * Adds chunk[from..). Throws like MemoryBudget.take if it may be refused, and then has not added the chunk. Throws TOO_LARGE as soon as
   * the first message with its decoded values could never have room.
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
    this.#grow(pushed, mayBeRefused)
    chunk.copy(this.buffer, this.end, from)
    this.end += pushed
    this.#memory.spent(pushed)
  }

  /** Takes memory for that many more bytes behind those in the queue, if there are any: pushing them is then not refused. Throws like push. */
  protected makeRoom(bytes: number): void {
    if (this.length > 0) this.#grow(bytes, true)
  }

  /** Makes the buffer large enough for that many more bytes behind those in the queue. */
  #grow(pushed: number, mayBeRefused: boolean): void {
    const { length } = this
    if (this.#isOwn && this.end + pushed <= this.buffer.length) return
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

  #takeFor(bytes: number): void {
    const { stated } = this
    // The answer to a refused message needs its head.
    if (stated > COUNTED_BYTES && this.length >= HEAD_BYTES)
      this.#memory.checkEver(stated * MADE_OF_MESSAGE - HEAD_BYTES, 'a request')
    this.#memory.take(bytes, 'a request', 'arrival', this.#taken)
  }

  #capacity(length: number): number {
    const { stated } = this
    if (stated < length) return Math.max(GATHER_BYTES, length * AHEAD_OF_UNSTATED)
    return Math.min(stated + CHUNK_BYTES, Math.max(GATHER_BYTES, length * AHEAD_OF_STATED))
  }

  /** Bytes of memory that the queue holds. */
  get taken(): number {
    return this.#taken
  }

  /** Removes the first `length` bytes and returns them. */
  take(length: number): Buffer {
    const { buffer, start } = this
    // Most clients send one message and wait: a chunk that is one message needs no view.
    const isWhole = start === 0 && length === buffer.length
    const taken = isWhole ? buffer : buffer.subarray(start, start + length)
    this.start += length
    this.stated = 0
    if (this.start === this.end) this.#empty()
    else if (this.#isOwn && length >= LARGE_BYTES && this.length <= CHUNK_BYTES) this.#leaveBuffer()
    return taken
  }

  /** A large message keeps the buffer: the bytes behind it move to another. */
  #leaveBuffer(): void {
    const rest = Buffer.from(this.buffer.subarray(this.start, this.end))
    this.#empty()
    this.buffer = rest
    this.end = rest.length
  }

  /** Takes memory for the bytes in the queue, which stay until more come. Throws OVERLOADED where there is none. */
  keep(): void {
    if (this.length === 0 || this.#isOwn || this.#taken > 0) return
    this.detach()
    this.#memory.take(this.buffer.length, 'a request', 'arrival')
    this.#taken = this.buffer.length
  }

  /** Takes the bytes out of memory that they share with those of other clients, which would be held as long as they wait. */
  detach(): void {
    const { buffer, length } = this
    if (length === 0 || this.#isOwn || buffer.length === buffer.buffer.byteLength) return
    const own = Buffer.allocUnsafeSlow(length)
    buffer.copy(own, 0, this.start, this.end)
    this.buffer = own
    this.start = 0
    this.end = length
  }

  /** Drops that many bytes: those in the queue first, then those that will come. */
  skip(bytes: number): void {
    const { length } = this
    this.stated = 0
    if (bytes < length) this.start += bytes
    else {
      this.#unwanted = bytes - length
      this.#empty()
    }
  }

  #giveBack(): void {
    this.#memory.give(this.#taken)
    this.#taken = 0
  }

  clear(): void {
    this.#empty()
  }

  #empty(): void {
    this.#giveBack()
    this.buffer = EMPTY
    this.start = 0
    this.end = 0
    this.#isOwn = false
  }
}
