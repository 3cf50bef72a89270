/**
 * Numbers that came a short time ago: at least the last half of `max` of them, for at least `ms` where no more came. In two
 * generations: a Map that loses its oldest entry again and again passes over thousands of deleted ones to find it.
 */
export class RecentNumbers {
  readonly #max: number
  readonly #ms: number
  #young = new Set<number>()
  #old = new Set<number>()
  #since = 0

  constructor(max: number, ms: number) {
    this.#max = max
    this.#ms = ms
  }

  add(number: number, nowMs: number): void {
    if (this.#young.size >= this.#max / 2 || nowMs - this.#since >= this.#ms) {
      // Numbers twice as old as they need be go, too.
      this.#old = nowMs - this.#since >= 2 * this.#ms ? new Set() : this.#young
      this.#young = new Set()
      this.#since = nowMs
    }
    this.#young.add(number)
  }

  has(number: number): boolean {
    return this.#young.has(number) || this.#old.has(number)
  }
}
