import { ownMemory } from '../../../model/mapped-memory.ts'

/** First size of a buffer that answers are written into: that of most of them. */
const SMALL_BYTES = 8 * 1024
/** The sizes of larger ones are multiples of this, so that answers of similar sizes fit into each other's memory. */
const STEP_BYTES = 64 * 1024
/** Larger buffers are left to the garbage collector. */
const KEPT_BYTES_MAX = 1024 * 1024
const SMALL_MAX = 16
const LARGE_MAX = 4

/**
 * Buffers that answers are written into, shared by all connections: the operating system mostly takes an answer at once, and the
 * next connection's answer then goes into the same memory, which is still in the processor's caches. An idle connection has none.
 */
export class AnswerMemory {
  readonly #small: Buffer[] = []
  readonly #large: Buffer[] = []

  /** At least `bytes` bytes of any content. */
  take(bytes: number): Buffer {
    if (bytes <= SMALL_BYTES) return this.#small.pop() ?? Buffer.allocUnsafeSlow(SMALL_BYTES)
    const kept = this.#large.pop()
    if (kept !== undefined && kept.length >= bytes) return kept
    return ownMemory(Math.ceil(bytes / STEP_BYTES) * STEP_BYTES)
  }

  /** Nobody may read the buffer any more. */
  giveBack(buffer: Buffer): void {
    if (buffer.length === SMALL_BYTES) {
      if (this.#small.length < SMALL_MAX) this.#small.push(buffer)
    } else if (
      buffer.length > SMALL_BYTES &&
      buffer.length <= KEPT_BYTES_MAX &&
      this.#large.length < LARGE_MAX
    )
      this.#large.push(buffer)
  }
}
