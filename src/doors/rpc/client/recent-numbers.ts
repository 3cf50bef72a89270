/**
 * Remembers numbers that were added a short time ago, each with a value: at least the last `max` / 2 of them, and all for at least `ms`
 * milliseconds where fewer were added. Two Maps take turns: a Map whose oldest entry is deleted again and again passes over thousands of
 * deleted entries to find the next one.
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
      // Where the younger numbers are old enough, too, none are kept.
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
