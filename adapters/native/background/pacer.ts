import { setTimeout as later, setImmediate as nextTurn } from 'node:timers/promises'

/** Work done at a stretch, in milliseconds. */
const SLICE_MS = 1
/** The longest rest after a stretch: work that is to end looks up again within this time. */
const REST_MS_MAX = 50

/**
 * Divides the event loop between long work and requests: while requests come, all work together takes at most half of the
 * time.
 */
export class Pacer {
  readonly #requests: () => number
  #requestsSeen = 0
  #sliceStart = performance.now()
  #workers = 0

  /** `requests`: the number of requests so far. */
  constructor(requests: () => number) {
    this.#requests = requests
  }

  async during<T>(work: () => Promise<T>): Promise<T> {
    // The time since earlier work was no work.
    if (this.#workers === 0) this.#sliceStart = performance.now()
    this.#workers++
    try {
      return await work()
    } finally {
      this.#workers--
    }
  }

  /** The worker awaits it every few hundred microseconds. */
  async pause(): Promise<void> {
    const worked = performance.now() - this.#sliceStart
    if (worked < SLICE_MS) return
    const requests = this.#requests()
    const isBusy = requests !== this.#requestsSeen
    this.#requestsSeen = requests
    if (isBusy) await later(Math.min(Math.ceil(worked * this.#workers), REST_MS_MAX))
    else await nextTurn()
    this.#sliceStart = performance.now()
  }
}
