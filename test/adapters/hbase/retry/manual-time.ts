import type { Time } from '../../../../adapters/hbase/retry/time.ts'

/** When a test's time begins. */
const BEGAN = 1_700_000_000_000

/** Time that moves only when a test moves it. */
export class ManualTime implements Time {
  #now = 1_000
  #timers: { readonly at: number; readonly callback: () => void }[] = []

  now(): number {
    return this.#now
  }

  epochMs(): number {
    return BEGAN + this.#now
  }

  after(ms: number, callback: () => void): () => void {
    const timer = { at: this.#now + ms, callback }
    this.#timers.push(timer)
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer)
    }
  }

  get timers(): number {
    return this.#timers.length
  }

  /** Lets started work settle, then moves to the next timer and fires it. */
  async next(): Promise<number> {
    await settled()
    const [first] = this.#timers.toSorted((a, b) => a.at - b.at)
    if (first === undefined) throw new Error('nothing waits')
    this.#timers = this.#timers.filter((timer) => timer !== first)
    const waited = first.at - this.#now
    this.#now = first.at
    first.callback()
    await settled()
    return waited
  }

  async advance(ms: number): Promise<void> {
    const until = this.#now + ms
    await settled()
    while (this.#timers.some(({ at }) => at <= until)) await this.next()
    this.#now = until
    await settled()
  }
}

/** Lets promises settle that wait for no timer or socket. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
