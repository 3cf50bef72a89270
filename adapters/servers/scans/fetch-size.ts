/** The wanted size of an answer, in bytes. */
const ANSWER_BYTES = 1024 * 1024
const GROWTH = 4

/** The number of cells, or of results, that the next request of a scan asks for: few at first, then as many as make an answer of ANSWER_BYTES. */
export class FetchSize {
  readonly #max: number
  #count: number

  constructor(first: number, max: number) {
    this.#count = first
    this.#max = max
  }

  get count(): number {
    return this.#count
  }

  /** Adjusts the number after an answer of `count` cells or results, which had `bytes` bytes together. */
  answered(count: number, bytes: number): void {
    if (count === 0) return
    const fitting = Math.floor((ANSWER_BYTES * count) / Math.max(bytes, 1))
    this.#count = Math.max(1, Math.min(this.#count * GROWTH, fitting, this.#max))
  }
}
