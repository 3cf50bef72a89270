/**
 * Numbers that came a short time ago, each with a value: at least the last half of `max` of them, for at least `ms` where no more came. In two
 * generations: a Map that loses its oldest entry again and again passes over thousands of deleted ones to find it.
 */
export class RecentNumbers<Value> {
  readonly #max: number
  readonly #ms: number
  #young = new Map<number, Value>()
  #old = new Map<number, Value>()
  #since = 0

  constructor(max: number, ms: number) {
    this.#max = max
    this.#ms = ms
  }

  add(number: number, value: Value, nowMs: number): void {
    if (this.#young.size >= this.#max / 2 || nowMs - this.#since >= this.#ms) {
      // Numbers twice as old as they need be go, too.
      this.#old = nowMs - this.#since >= 2 * this.#ms ? new Map() : this.#young
      this.#young = new Map()
      this.#since = nowMs
    }
    this.#young.set(number, value)
  }

  get(number: number): Value | undefined {
    return this.#young.get(number) ?? this.#old.get(number)
  }

  delete(number: number): void {
    this.#young.delete(number)
    this.#old.delete(number)
  }
}
