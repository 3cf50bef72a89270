/** The closed parts of a region: itself, and its copies for reads, which are other names of it without a state but this. */

/** Counts the changes, of all regions together: results that were derived from an earlier count are old then. */
export interface RegionClosings {
  changes: number
}

export class ClosedReplicas {
  readonly #closings: RegionClosings
  #isClosed: boolean
  #copies: readonly number[]

  /** `copies`: as `copies` below. */
  constructor(closings: RegionClosings, isClosed = false, copies: readonly number[] = []) {
    this.#closings = closings
    this.#isClosed = isClosed
    this.#copies = copies
  }

  /** The region itself: true from unassignRegion to assignRegion. */
  get isClosed(): boolean {
    return this.#isClosed
  }

  /** The numbers of the closed copies, in order. */
  get copies(): readonly number[] {
    return this.#copies
  }

  /** In the order of their numbers, the region itself as 0; undefined where none is. */
  get numbers(): readonly number[] | undefined {
    if (this.#isClosed) return [0, ...this.#copies]
    return this.#copies.length === 0 ? undefined : this.#copies
  }

  set(isClosed: boolean, copies: readonly number[]): void {
    this.#isClosed = isClosed
    this.#copies = copies
    this.#closings.changes++
  }
}
