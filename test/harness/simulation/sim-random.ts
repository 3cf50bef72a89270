/** Random numbers that a seed decides (mulberry32), so that a run can be repeated. */
export class SimRandom {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** [0, 1). */
  readonly next = (): number => {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000
  }

  below(bound: number): number {
    return Math.floor(this.next() * bound)
  }

  of<T>(values: readonly T[]): T {
    return values[this.below(values.length)]!
  }

  chance(part: number): boolean {
    return this.next() < part
  }
}
