/** Spreads bytes over time: after a request, the next one waits until the bandwidth has room for the first. A time without requests saves nothing up. */

export interface ByteRateParts {
  readonly bytesPerSecond: number
  /** Milliseconds of any clock. */
  readonly now: () => number
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>
}

export class ByteRate {
  readonly #parts: ByteRateParts
  #freeAt = 0

  constructor(parts: ByteRateParts) {
    this.#parts = parts
  }

  /** Resolves when the bytes may go, or when the signal aborts. */
  async take(bytes: number, signal: AbortSignal): Promise<void> {
    const { bytesPerSecond, now, pause } = this.#parts
    if (bytesPerSecond <= 0) return
    while (!signal.aborted && now() < this.#freeAt) await pause(this.#freeAt - now(), signal)
    this.#freeAt = Math.max(this.#freeAt, now()) + (bytes / bytesPerSecond) * 1000
  }
}
