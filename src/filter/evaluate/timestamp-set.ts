import { mapInSteps, type Steps } from '../../model/steps.ts'
import { compareTimestamps, timestampHigh, timestampLow } from '../../model/timestamp.ts'
import { distinctTimestamps } from '../schema/distinct-timestamps.ts'

/** 64-bit timestamps as pairs of int32, in ascending order, so that adding and searching allocate nothing. */
export class TimestampSet {
  readonly #highs: number[] = []
  readonly #lows: number[] = []

  static *inSteps(timestamps: readonly bigint[]): Steps<TimestampSet> {
    const set = new TimestampSet()
    yield* mapInSteps(yield* distinctTimestamps(timestamps), (timestamp) =>
      set.add(timestampHigh(timestamp), timestampLow(timestamp)),
    )
    return set
  }

  get size(): number {
    return this.#highs.length
  }

  clear(): void {
    this.#highs.length = 0
    this.#lows.length = 0
  }

  add(high: number, low: number): void {
    const index = this.indexOf(high, low)
    if (this.#isAt(index, high, low)) return
    this.#highs.splice(index, 0, high)
    this.#lows.splice(index, 0, low)
  }

  has(high: number, low: number): boolean {
    return this.#isAt(this.indexOf(high, low), high, low)
  }

  high(index: number): number {
    return this.#highs[index]!
  }

  low(index: number): number {
    return this.#lows[index]!
  }

  /** The index of the first timestamp that is not before this one. */
  indexOf(high: number, low: number): number {
    let from = 0
    let to = this.#highs.length
    while (from < to) {
      const middle = (from + to) >>> 1
      if (compareTimestamps(this.#highs[middle]!, this.#lows[middle]!, high, low) < 0) from = middle + 1
      else to = middle
    }
    return from
  }

  #isAt(index: number, high: number, low: number): boolean {
    return index < this.#highs.length && this.#highs[index] === high && this.#lows[index] === low
  }
}
