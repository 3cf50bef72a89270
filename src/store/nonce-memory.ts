import type { Nonce } from '../model/mutation.ts'

/** The time in which a client may send a change again. HBase: hbase.server.hashNonce.gracePeriod. */
const KEPT_MS = 30 * 60 * 1000
/** So many take some 20 MB. The oldest are forgotten first. */
const NONCES_MAX = 100_000

interface Made<ReadPoint> {
  readonly at: number
  readonly readPoint: ReadPoint
}

/**
 * The nonces of changes that were made, so that no change is made twice, each with the read point that shows the change and
 * nothing after it: a change that comes again is answered as it was. HBase: ServerNonceManager, OperationContext.
 */
export class NonceMemory<ReadPoint> {
  readonly #now: () => number
  /** The oldest first. */
  readonly #made = new Map<string, Made<ReadPoint>>()

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
    this.#made.set(nonceKey(nonce), { at: this.#now(), readPoint })
    this.#forget()
  }

  /** The change with this nonce was undone. */
  remove(nonce: Nonce | undefined): void {
    if (nonce !== undefined) this.#made.delete(nonceKey(nonce))
  }

  #forget(): void {
    const oldest = this.#now() - KEPT_MS
    for (const [key, { at }] of this.#made) {
      if (at >= oldest && this.#made.size <= NONCES_MAX) return
      this.#made.delete(key)
    }
  }
}

function nonceKey({ group, nonce }: Nonce): string {
  return `${group}:${nonce}`
}
