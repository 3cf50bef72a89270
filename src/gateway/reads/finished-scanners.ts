/** The ids of scanners that were read to their ends: their clients may still ask for more, and close them. */

/** Ids that are kept, of all clients of a service. */
const COUNT_MAX = 10_000

interface Finished {
  readonly owner: string | undefined
  lastUsedMs: number
}

/** An id and its owner are all that a finished scanner keeps in memory. */
export class FinishedScanners {
  readonly #idleMs: number
  readonly #countMax: number
  /** The finished scanners by id, the one unused for the longest first. */
  readonly #finished = new Map<number, Finished>()

  constructor(idleMs: number, countMax: number = COUNT_MAX) {
    this.#idleMs = idleMs
    this.#countMax = countMax
  }

  add(id: number, owner: string | undefined, nowMs: number): void {
    this.#finished.delete(id)
    this.#finished.set(id, { owner, lastUsedMs: nowMs })
    if (this.#finished.size <= this.#countMax) return
    const [oldest] = this.#finished.keys()
    this.#finished.delete(oldest!)
  }

  /** True for a scanner of any owner. */
  knows(id: number): boolean {
    return this.#finished.has(id)
  }

  /** True for a scanner of this owner, whose idle time then begins anew. */
  use(id: number, owner: string | undefined, nowMs: number): boolean {
    const finished = this.#finished.get(id)
    if (finished === undefined || finished.owner !== owner) return false
    this.#finished.delete(id)
    if (finished.lastUsedMs + this.#idleMs <= nowMs) return false
    finished.lastUsedMs = nowMs
    this.#finished.set(id, finished)
    return true
  }

  forget(id: number): void {
    this.#finished.delete(id)
  }

  sweep(nowMs: number): void {
    for (const [id, { lastUsedMs }] of this.#finished) {
      if (lastUsedMs + this.#idleMs > nowMs) return
      this.#finished.delete(id)
    }
  }
}
