/** The longest pause: a timer of Node for more than 24 days would fire at once. */
const PAUSE_MS_MAX = 3_600_000

/** Limits the bytes per second, on average over a whole run. */
export class RateLimit {
  readonly #bytesPerSecond: number
  readonly #now: () => number
  readonly #pause: (milliseconds: number) => Promise<void>
  readonly #begun: number
  #bytes = 0

  /** `bytesPerSecond`: Infinity: no limit. `now`: the time in milliseconds. */
  constructor(bytesPerSecond: number, now: () => number, pause: (milliseconds: number) => Promise<void>) {
    this.#bytesPerSecond = bytesPerSecond
    this.#now = now
    this.#pause = pause
    this.#begun = now()
  }

  /** Resolves when the limit allows these bytes. */
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
