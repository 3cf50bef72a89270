import { setImmediate as nextTurn } from 'node:timers/promises'
import type { WriteWatch } from './write-watch.ts'

/** Results that wait for the commit of their changes: further changes wait for them. */
const HELD_BYTES_MAX = 8 * 1024 * 1024
/** Smaller results are not counted. */
const LARGE_BYTES = 64 * 1024
/** An increment or an append copies a value so often: as it was, as it is now, its cell as it grows, its record in the log, its answer. */
const COPIES = 6

/**
 * The memory of increments and appends whose results are large. A request of some bytes may append to a value of megabytes, so that
 * the size of requests does not limit it.
 */
export class LargeResults {
  readonly #onSpent: ((bytes: number) => void) | undefined
  #heldBytes = 0

  /** `onSpent`: see NativeOptions. */
  constructor(onSpent: ((bytes: number) => void) | undefined) {
    this.#onSpent = onSpent
  }

  /** Undefined where a change need not wait. */
  room(watch: WriteWatch): Promise<void> | undefined {
    return this.#heldBytes > HELD_BYTES_MAX ? this.#awaitRoom(watch) : undefined
  }

  async #awaitRoom(watch: WriteWatch): Promise<void> {
    while (this.#heldBytes > HELD_BYTES_MAX) {
      await nextTurn()
      watch.check()
    }
  }

  /** Returns the bytes to `release`. */
  hold(bytes: number): number {
    if (bytes < LARGE_BYTES) return 0
    this.#onSpent?.(COPIES * bytes)
    this.#heldBytes += bytes
    return bytes
  }

  release(bytes: number): void {
    this.#heldBytes -= bytes
  }
}
