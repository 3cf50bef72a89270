/** The read points of a region's open scanners. */
export class ReadPoints {
  /** How many scanners read at each point. */
  readonly #scanners = new Map<number, number>()
  #oldest = Number.POSITIVE_INFINITY
  #newest = -1
  #isKnown = true

  /** The least; Infinity without scanners. */
  get oldest(): number {
    this.#look()
    return this.#oldest
  }

  /** The greatest; -1 without scanners. */
  get newest(): number {
    this.#look()
    return this.#newest
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
