/**
 * Times for changes of a table of settings, each later than the one before: otherwise a deletion would hide a later put of the same
 * millisecond. The store sets the times, unless the clock of the machine was set back.
 */

/** The longest wait for the clock, after a change in the same millisecond. */
const WAIT_MS_MAX = 20

export class ChangeTimes {
  /** The time of the last change, in milliseconds since 1970. */
  #last = 0

  /** The time for the next change; undefined: the store sets it. */
  async next(): Promise<bigint | undefined> {
    while (Date.now() <= this.#last) {
      // A clock that was set back may need hours.
      if (this.#last - Date.now() > WAIT_MS_MAX) return BigInt(++this.#last)
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
    return undefined
  }

  /** Notes that a change was made now. */
  made(): void {
    this.#last = Math.max(this.#last, Date.now())
  }
}
