/** The read points of the open scanners of a region, or of all regions of a table. */
export class ReadPoints {
  readonly #ofTable: ReadPoints | undefined
  /** How many scanners read at each point. */
  readonly #scanners = new Map<number, number>()
  #oldest = Number.POSITIVE_INFINITY
  #newest = -1
  #isKnown = true

  /** `ofTable`: of scanners that may come to the region. */
  constructor(ofTable?: ReadPoints) {
    this.#ofTable = ofTable
  }

  /** The least; Infinity without scanners. */
  get oldest(): number {
    this.#look()
    const ofTable = this.#ofTable
    return ofTable === undefined ? this.#oldest : Math.min(this.#oldest, ofTable.oldest)
  }

  /** The greatest; -1 without scanners. */
  get newest(): number {
    this.#look()
    const ofTable = this.#ofTable
    return ofTable === undefined ? this.#newest : Math.max(this.#newest, ofTable.newest)
  }

  #look(): void {
    if (this.#isKnown) return
    this.#isKnown = true
    this.#oldest = Number.POSITIVE_INFINITY
    this.#newest = -1
    for (const readPoint of this.#scanners.keys()) this.#include(readPoint)
  }

  #include(readPoint: number): void {
    if (readPoint < this.#oldest) this.#oldest = readPoint
    if (readPoint > this.#newest) this.#newest = readPoint
  }

  /** Keeps a read point until the returned function is called; calling it again does nothing. */
  keep(readPoint: number): () => void {
    this.#scanners.set(readPoint, (this.#scanners.get(readPoint) ?? 0) + 1)
    this.#include(readPoint)
    let isKept = true
    return () => {
      if (!isKept) return
      isKept = false
      this.#giveUp(readPoint)
    }
  }

  #giveUp(readPoint: number): void {
    const others = this.#scanners.get(readPoint)! - 1
    if (others > 0) {
      this.#scanners.set(readPoint, others)
      return
    }
    this.#scanners.delete(readPoint)
    if (readPoint === this.#oldest || readPoint === this.#newest) this.#isKnown = false
  }
}
