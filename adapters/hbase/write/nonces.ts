import { randomBytes } from 'node:crypto'

/**
 * Numbers by which a server knows an increment or append that comes again, where its client gives none. They are unique among
 * all clients of a cluster: the group is this store's own, drawn at random. HBase: PerClientRandomNonceGenerator.
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
