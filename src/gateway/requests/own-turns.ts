import { LOOP_TURNS } from '../../model/loop-turns.ts'

/** A call shorter than this does not take part in the turns of the event loop. Most calls are. */
const SHORT_MS = 2

/**
 * The pauses of a call with many parts, in which other calls have their turn. Parts that the store answers at once would otherwise follow
 * each other without a pause, however many a client asks for.
 */
export class OwnTurns {
  readonly #beganAt = performance.now()
  #endMs: number | undefined

  /** Resolves after the turn of other calls; undefined: the call may go on at once. */
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
