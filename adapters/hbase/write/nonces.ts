import { randomBytes } from 'node:crypto'

/**
 * Nonces for increments and appends whose client has sent none. A server recognizes a repeated request by its nonce. They are
 * unique among all clients of a cluster, because the group is a random number of this store. HBase: PerClientRandomNonceGenerator.
 */
export class Nonces {
  readonly group: bigint = randomBytes(8).readBigInt64BE() | 1n
  #last = 0n

  /** Never 0n, which means none. */
  next(): bigint {
    this.#last++
    return this.#last
  }
}
