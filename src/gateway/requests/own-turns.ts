import { LOOP_TURNS } from '../../model/loop-turns.ts'

/** A call that takes no longer has no part in the turns of the event loop: most calls are short. */
const SHORT_MS = 2

/**
 * When a call of many parts lets others have their turn. Parts that the store answers at once follow each other without one,
 * however many a client asks for.
 */
export class OwnTurns {
  readonly #beganAt = performance.now()
  #endMs: number | undefined

  /** Undefined where the call may go on at once. */
  pause(): Promise<void> | undefined {
    const now = performance.now()
    if (this.#endMs === undefined) {
      if (now - this.#beganAt < SHORT_MS) return undefined
      this.#endMs = now + LOOP_TURNS.begin()
    }
    return now < this.#endMs ? undefined : this.#pause()
  }

  async #pause(): Promise<void> {
    await LOOP_TURNS.next()
    this.#endMs = performance.now() + LOOP_TURNS.begin()
  }
}
