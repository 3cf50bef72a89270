import type { Nonce } from '../model/mutation.ts'

/** For how long a client may send a change again: hbase.server.hashNonce.gracePeriod. */
const KEPT_MS = 30 * 60 * 1000
/** Some 20 MB of them. The oldest go first. */
const NONCES_MAX = 100_000

/** The nonces of the changes that were made, so that none is made twice. HBase: ServerNonceManager. */
export class NonceMemory {
  readonly #now: () => number
  /** When each change was made, the oldest first. */
  readonly #madeAt = new Map<string, number>()

  /** `now`: milliseconds since 1970. */
  constructor(now: () => number) {
    this.#now = now
  }

  /** Whether the change with this nonce was made already. */
  has(nonce: Nonce | undefined): boolean {
    if (nonce === undefined || nonce.nonce === 0n) return false
    this.#forget()
    return this.#madeAt.has(keyOf(nonce))
  }

  /** The change with this nonce has been made. */
  add(nonce: Nonce | undefined): void {
    if (nonce === undefined || nonce.nonce === 0n) return
    this.#madeAt.set(keyOf(nonce), this.#now())
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

function keyOf({ group, nonce }: Nonce): string {
  return `${group}:${nonce}`
}
