/** A timer of Node takes no more than 24 days, and ends at once beyond. */
const PAUSE_MS_MAX = 3_600_000

/** At most so many bytes a second, over the whole of a run. */
export class RateLimit {
  readonly #bytesPerSecond: number
  readonly #now: () => number
  readonly #pause: (milliseconds: number) => Promise<void>
  readonly #begun: number
  #bytes = 0

  /** Infinity: no limit. `now`: milliseconds. */
  constructor(bytesPerSecond: number, now: () => number, pause: (milliseconds: number) => Promise<void>) {
    this.#bytesPerSecond = bytesPerSecond
    this.#now = now
    this.#pause = pause
    this.#begun = now()
  }

  /** Resolves when so many bytes may have been moved. */
  async take(bytes: number): Promise<void> {
    this.#bytes += bytes
    if (this.#bytesPerSecond === Number.POSITIVE_INFINITY) return
    const due = (this.#bytes / this.#bytesPerSecond) * 1000
    for (;;) {
      const wait = this.#begun + due - this.#now()
      if (wait <= 0) return
      await this.#pause(Math.min(wait, PAUSE_MS_MAX))
    }
  }
}
