/**
 * The changes of a region whose cells are put into its memstores over several turns of the event loop. A flush takes the memstores once
 * those under way have ended, and others begin after it.
 */
export class GradualInserts {
  #running = 0
  #pauses = 0
  /** Resolves once none is under way; undefined: none is. */
  #ended: Signal | undefined
  #resumed: Signal | undefined

  /** A change that is to begin has to wait for this; undefined: it need not. */
  get resumed(): Promise<void> | undefined {
    return this.#resumed?.given
  }

  /** Returns the function to call at the change's end, once. It must not wait for a flush before that. */
  begin(): () => void {
    this.#ended ??= new Signal()
    this.#running++
    return () => {
      this.#running--
      if (this.#running > 0) return
      this.#ended?.give()
      this.#ended = undefined
    }
  }

  /** Resolves, once none is under way, to the function that lets others begin, to be called once; undefined: none is under way now. */
  pause(): Promise<() => void> | undefined {
    return this.#ended === undefined ? undefined : this.#pause(this.#ended)
  }

  async #pause(ended: Signal): Promise<() => void> {
    this.#resumed ??= new Signal()
    this.#pauses++
    await ended.given
    return () => {
      this.#pauses--
      if (this.#pauses > 0) return
      this.#resumed?.give()
      this.#resumed = undefined
    }
  }
}

class Signal {
  give!: () => void
  readonly given = new Promise<void>((resolve) => {
    this.give = resolve
  })
}
