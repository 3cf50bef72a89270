import { randomBytes } from 'node:crypto'

/**
 * Nonces for increments and appends without one of their client, by which a server recognizes a repeated request. They are
 * unique among all clients of a cluster: the group is this store's own, drawn at random. HBase: PerClientRandomNonceGenerator.
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
