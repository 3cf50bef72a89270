/**
 * The times of changes to a table of settings, each later than the one before: a deletion hides what is put at the same time or
 * an earlier one, and is hidden by nothing. The store states the times, unless the machine's clock was set back.
 */

/** So long the clock is waited for: a change of the same millisecond. */
const WAIT_MS_MAX = 20

export class ChangeTimes {
  /** Milliseconds since 1970. */
  #last = 0

  /** Of the next change. Undefined: the store's. */
  async next(): Promise<bigint | undefined> {
    while (Date.now() <= this.#last) {
      // A clock that was set back may take hours to come there.
      if (this.#last - Date.now() > WAIT_MS_MAX) return BigInt(++this.#last)
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
    return undefined
  }

  /** A change is made. */
  made(): void {
    this.#last = Math.max(this.#last, Date.now())
  }
}
