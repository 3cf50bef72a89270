import type { Collection } from '../../model/collector.ts'

/** This much freed memory is worth a collection before more is granted. */
const COLLECTED_BYTES_MIN = 16 * 1024 * 1024
/** In a small budget, this part of it is worth a collection, too. */
const UNCOLLECTED_PART = 1 / 4
/** Time without a further return after which the memory of a burst goes back to the system. */
const QUIET_MS = 2000

/** Memory that requests have given back, and that the process may still hold until a collection. */
export class FreedMemory {
  readonly #collection: Collection | undefined
  readonly #worthIt: number
  #bytes = 0
  /** Collections that have begun. */
  #collections = 0
  #quiet: NodeJS.Timeout | undefined

  /** `budgetBytes`: the memory of all requests. `collection`: collects unused memory; undefined: only Node does. */
  constructor(budgetBytes: number, collection: Collection | undefined) {
    this.#worthIt = Math.min(COLLECTED_BYTES_MIN, budgetBytes * UNCOLLECTED_PART)
    this.#collection = collection
  }

  /** Bytes since the last collection. */
  get bytes(): number {
    return this.#bytes
  }

  /** Counts bytes that were used for a moment. */
  spent(bytes: number): void {
    this.#bytes += bytes
  }

  /** Counts bytes that were given back. The last of a burst are collected when the burst is over. */
  gave(bytes: number): void {
    this.#bytes += bytes
    if (this.#bytes < COLLECTED_BYTES_MIN || this.#collection === undefined) return
    if (this.#quiet === undefined) this.#quiet = setTimeout(() => this.#collectSoon(), QUIET_MS).unref()
    else this.#quiet.refresh()
  }

  /** Collects at once where fewer bytes are free than were freed, and enough were: the process may still hold the freed ones. */
  leave(freeBytes: number): void {
    if (this.#bytes >= this.#worthIt && this.#bytes > freeBytes) this.#collectNow()
  }

  #collectNow(): void {
    clearTimeout(this.#quiet)
    this.#quiet = undefined
    this.#bytes = 0
    this.#collections++
    this.#collection?.now()
  }

  #collectSoon(): void {
    this.#quiet = undefined
    const [begun, bytes] = [++this.#collections, this.#bytes]
    this.#collection?.soon(() => {
      if (this.#collections === begun) this.#bytes -= bytes
    })
  }
}
