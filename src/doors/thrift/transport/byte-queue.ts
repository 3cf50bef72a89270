import { EMPTY } from '../../../model/bytes.ts'

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

  get length(): number {
    return this.end - this.start
  }

  push(chunk: Buffer): void {
    const { length } = this
    if (length === 0) {
      this.buffer = chunk
      this.start = 0
      this.end = chunk.length
      this.#isOwn = false
      return
    }
    if (!this.#isOwn || this.end + chunk.length > this.buffer.length) {
      const grown = Buffer.allocUnsafeSlow(Math.max(GATHER_BYTES, (length + chunk.length) * 2))
      this.buffer.copy(grown, 0, this.start, this.end)
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

  clear(): void {
    this.buffer = EMPTY
    this.start = 0
    this.end = 0
    this.#isOwn = false
  }
}
