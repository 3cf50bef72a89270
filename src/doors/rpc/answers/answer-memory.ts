import { ownMemory } from '../../../model/mapped-memory.ts'

/** Size of a small buffer for answers, in bytes. Most answers fit into it. */
const SMALL_BYTES = 8 * 1024
/** Sizes of larger buffers are multiples of this, so that a later answer of similar size can use the buffer again. */
const STEP_BYTES = 64 * 1024
/** A buffer of more bytes is not kept: the garbage collector frees it. */
const KEPT_BYTES_MAX = 1024 * 1024
const SMALL_MAX = 16
const LARGE_MAX = 4

/**
 * Buffers that answers are written into, shared by all connections. The operating system mostly takes an answer at once. The
 * next connection's answer then goes into the same memory, which is still in the processor's caches. An idle connection holds no buffer.
 */
export class AnswerMemory {
  readonly #small: Buffer[] = []
  readonly #large: Buffer[] = []

  /** Returns a buffer of at least `bytes` bytes. Its content is undefined. */
  take(bytes: number): Buffer {
    if (bytes <= SMALL_BYTES) return this.#small.pop() ?? Buffer.allocUnsafeSlow(SMALL_BYTES)
    const kept = this.#large.pop()
    if (kept !== undefined && kept.length >= bytes) return kept
    return ownMemory(Math.ceil(bytes / STEP_BYTES) * STEP_BYTES)
  }

  /** Takes a buffer back. The caller must not read or write it afterwards. */
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
