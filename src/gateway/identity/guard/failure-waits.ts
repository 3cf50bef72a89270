/** Counts failures in a row by key. After many of them a key has to wait for a time, which grows with each failure. */

const WAIT_MS_FIRST = 1000
/** Failures are forgotten after this time without another one. */
const FORGOTTEN_MS = 600_000
/** Keys that are kept. The oldest is dropped first. */
const KEPT_MAX = 30_000

interface Failures {
  count: number
  lastMs: number
}

export interface FailureKey {
  readonly key: string
  /** Failures without a wait. */
  readonly free: number
}

export class FailureWaits {
  readonly #failures = new Map<string, Failures>()
  readonly #waitMsMax: number
  readonly #now: () => number

  /** `waitMsMax`: the longest wait. `now`: milliseconds since any fixed moment. */
  constructor(waitMsMax: number, now: () => number) {
    this.#waitMsMax = waitMsMax
    this.#now = now
  }

  /** Milliseconds that the key still has to wait; 0 or less: none. */
  waitMs({ key, free }: FailureKey): number {
    const failures = this.#failures.get(key)
    if (failures === undefined || failures.count < free) return 0
    const ms = Math.min(this.#waitMsMax, WAIT_MS_FIRST * 2 ** (failures.count - free))
    return failures.lastMs + ms - this.#now()
  }

  failed(keys: readonly FailureKey[]): void {
    const now = this.#now()
    for (const { key } of keys) {
      const known = this.#failures.get(key)
      // Put at the end: the map is ordered by the last failure.
      this.#failures.delete(key)
      const isOver = known === undefined || now - known.lastMs > FORGOTTEN_MS
      this.#failures.set(key, { count: isOver ? 1 : known.count + 1, lastMs: now })
    }
    for (const [key, { lastMs }] of this.#failures) {
      if (this.#failures.size <= KEPT_MAX && now - lastMs <= FORGOTTEN_MS) break
      this.#failures.delete(key)
    }
  }

  forget({ key }: FailureKey): void {
    this.#failures.delete(key)
  }
}
