import type { Nonce } from '../model/mutation.ts'

/** The time in which a client may send a change again. HBase: hbase.server.hashNonce.gracePeriod. */
const KEPT_MS = 30 * 60 * 1000
/** So many take some 20 MB. The oldest are forgotten first. */
const NONCES_MAX = 100_000

/** The nonces of changes that were made, so that no change is made twice. HBase: ServerNonceManager. */
export class NonceMemory {
  readonly #now: () => number
  /** The time of each change, the oldest first. */
  readonly #madeAt = new Map<string, number>()

  /** `now`: milliseconds since 1970. */
  constructor(now: () => number) {
    this.#now = now
  }

  /** True where the change with this nonce was made. */
  has(nonce: Nonce | undefined): boolean {
    if (nonce === undefined || nonce.nonce === 0n) return false
    this.#forget()
    return this.#madeAt.has(nonceKey(nonce))
  }

  /** Notes that the change with this nonce was made. */
  add(nonce: Nonce | undefined): void {
    if (nonce === undefined || nonce.nonce === 0n) return
    this.#madeAt.set(nonceKey(nonce), this.#now())
    this.#forget()
  }

  #forget(): void {
    const oldest = this.#now() - KEPT_MS
    for (const [key, madeAt] of this.#madeAt) {
      if (madeAt >= oldest && this.#madeAt.size <= NONCES_MAX) return
      this.#madeAt.delete(key)
    }
  }
}

function nonceKey({ group, nonce }: Nonce): string {
  return `${group}:${nonce}`
}
