import type { Nonce } from '../model/mutation.ts'

/** The time in which a client may send a change again. HBase: hbase.server.hashNonce.gracePeriod. */
const KEPT_MS = 30 * 60 * 1000
/** So many take some 20 MB. The oldest are forgotten first. */
const NONCES_MAX = 100_000

interface Made<ReadPoint> {
  readonly key: string
  readonly at: number
  readonly readPoint: ReadPoint
}

/** Forgotten places at the begin of the order after which it is made anew. */
const PASSED_MIN = 1024

/**
 * The nonces of changes that were made, so that no change is made twice. Each has the read point that shows the change and nothing after
 * it: a repeated change gets the same answer. HBase: ServerNonceManager, OperationContext.
 */
export class NonceMemory<ReadPoint> {
  readonly #now: () => number
  readonly #made = new Map<string, Made<ReadPoint>>()
  /**
   * The oldest first, from `#passed` on. The Map's own order would do, but a Map that loses its oldest entry again and again
   * passes over all the deleted ones to find it.
   */
  #order: Made<ReadPoint>[] = []
  #passed = 0

  /** `now`: milliseconds since any fixed moment. */
  constructor(now: () => number) {
    this.#now = now
  }

  /** The read point of the change with this nonce; undefined where it was not made yet. */
  readPoint(nonce: Nonce | undefined): ReadPoint | undefined {
    if (nonce === undefined || nonce.nonce === 0n) return undefined
    this.#forget()
    return this.#made.get(nonceKey(nonce))?.readPoint
  }

  /** The change with this nonce has been made. */
  add(nonce: Nonce | undefined, readPoint: ReadPoint): void {
    if (nonce === undefined || nonce.nonce === 0n) return
    const made = { key: nonceKey(nonce), at: this.#now(), readPoint }
    this.#made.set(made.key, made)
    this.#order.push(made)
    this.#forget()
  }

  /** The change with this nonce was undone. */
  remove(nonce: Nonce | undefined): void {
    if (nonce !== undefined) this.#made.delete(nonceKey(nonce))
  }

  #forget(): void {
    const oldest = this.#now() - KEPT_MS
    const order = this.#order
    while (this.#passed < order.length) {
      const made = order[this.#passed]!
      if (made.at >= oldest && order.length - this.#passed <= NONCES_MAX) break
      // One that was undone may have been made again since.
      if (this.#made.get(made.key) === made) this.#made.delete(made.key)
      this.#passed++
    }
    if (this.#passed < PASSED_MIN || this.#passed * 2 < order.length) return
    this.#order = order.slice(this.#passed)
    this.#passed = 0
  }
}

function nonceKey({ group, nonce }: Nonce): string {
  return `${group}:${nonce}`
}
