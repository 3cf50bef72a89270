import { ownMemory } from '../../model/mapped-memory.ts'

/** The most buffers kept: about as many answers as one turn of the event loop reads. */
const KEPT_MAX = 8
/** Larger buffers go to the garbage collector. */
const KEPT_BYTES_MAX = 1024 * 1024
/** Sizes are rounded up to steps, so that answers of similar sizes fit into each other's memory. */
const STEP_BYTES = 64 * 1024

/**
 * Memory of large frames that readers have given back, the last one first: a new buffer of that size costs page faults
 * and garbage collections, about as much as filling it.
 */
export class FrameMemory {
  readonly #kept: Buffer[] = []

  /** At least `bytes` bytes of any content. */
  take(bytes: number): Buffer {
    const kept = this.#kept.pop()
    if (kept !== undefined && kept.length >= bytes) return kept
    return ownMemory(Math.ceil(bytes / STEP_BYTES) * STEP_BYTES)
  }

  giveBack(buffer: Buffer): void {
    if (buffer.length <= KEPT_BYTES_MAX && this.#kept.length < KEPT_MAX) this.#kept.push(buffer)
  }
}
