import type { Collection } from '../../model/collector.ts'

/** Freed memory of so many bytes is worth a collection before more is granted. */
const COLLECTED_BYTES_MIN = 16 * 1024 * 1024
/** Freed memory of so small a part of a small budget is worth it, too. */
const UNCOLLECTED_PART = 1 / 4
/** After a burst the memory goes back to the system, once nothing has been given back for so long. */
const QUIET_MS = 2000

/** Memory that clients have given back, and that the process may still hold until it is collected. */
export class FreedMemory {
  readonly #collection: Collection | undefined
  readonly #worthIt: number
  #bytes = 0
  /** Number of those that have begun. */
  #collections = 0
  #quiet: NodeJS.Timeout | undefined

  /** `budgetBytes`: the memory that there is. `collection`: lets go of memory that is not used any more. */
  constructor(budgetBytes: number, collection: Collection | undefined) {
    this.#worthIt = Math.min(COLLECTED_BYTES_MIN, budgetBytes * UNCOLLECTED_PART)
    this.#collection = collection
  }

  /** Bytes since the last collection. */
  get bytes(): number {
    return this.#bytes
  }

  /** So many were used for a moment. */
  spent(bytes: number): void {
    this.#bytes += bytes
  }

  /** So many were given back: the last of a burst are collected when it is over. */
  gave(bytes: number): void {
    this.#bytes += bytes
    if (this.#bytes < COLLECTED_BYTES_MIN || this.#collection === undefined) return
    if (this.#quiet === undefined) this.#quiet = setTimeout(() => this.#collectSoon(), QUIET_MS).unref()
    else this.#quiet.refresh()
  }

  /** Collects at once where fewer bytes are free than were freed, and that is worth it: freed memory is still in the process. */
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
