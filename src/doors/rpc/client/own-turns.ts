import { setImmediate as nextTurn } from 'node:timers/promises'

/** Work of one call, in milliseconds, after which others have their turn. */
const STRETCH_MS = 10

/**
 * When a call of many parts lets others have their turn. Parts that the store answers at once follow each other without one,
 * however many a client asks for.
 */
export class OwnTurns {
  #since = performance.now()

  /** Undefined where the call may go on at once. */
  pause(): Promise<void> | undefined {
    return performance.now() - this.#since < STRETCH_MS ? undefined : this.#pause()
  }

  async #pause(): Promise<void> {
    await nextTurn()
    this.#since = performance.now()
  }
}
