/**
 * How long things took: counts of durations by their class, each class at most an eighth longer than the one before. To add one
 * is an increment in an array, so that it may stand on every path.
 */

import type { Sample } from './metric.ts'

/** Classes of a duration's powers of two: 2 to the third. */
const PARTS_BITS = 3
const PARTS = 1 << PARTS_BITS
/** The longest duration that has a class of its own: 2^31 microseconds, half an hour. */
const MICROSECONDS_MAX = 0x7fffffff
export const LATENCY_CLASSES: number = (31 - PARTS_BITS + 1) * PARTS
/** The bounds that Prometheus receives, as powers of two in microseconds: 32 us to 33 s. */
const FIRST_BOUND = 5
const LAST_BOUND = 25

export class Latencies {
  /** The sum of all durations. */
  totalMs = 0
  /** Made by the first duration: most kinds of requests never come. */
  #counts: Float64Array | undefined

  add(ms: number): void {
    this.#counts ??= new Float64Array(LATENCY_CLASSES)
    this.#counts[classOf(ms * 1000)]! += 1
    this.totalMs += ms
  }

  /** Adds all durations of another one. */
  addAll(other: Latencies): void {
    for (const [index, count] of other.classes()) {
      this.#counts ??= new Float64Array(LATENCY_CLASSES)
      this.#counts[index]! += count
    }
    this.totalMs += other.totalMs
  }

  /** Adds the count of each class to `counts`, which has LATENCY_CLASSES elements. */
  addTo(counts: Float64Array): void {
    const own = this.#counts
    if (own === undefined) return
    for (let index = 0; index < LATENCY_CLASSES; index++) counts[index]! += own[index]!
  }

  get count(): number {
    let count = 0
    for (const each of this.#counts ?? []) count += each
    return count
  }

  /** Class and count of each class that has any, in order of the classes. */
  classes(): [number, number][] {
    return [...(this.#counts ?? [])].flatMap((count, index): [number, number][] =>
      count === 0 ? [] : [[index, count]],
    )
  }

  /** Milliseconds that the part `q` of all durations did not exceed, more or less; 0 where there are none. */
  quantile(q: number): number {
    const classes = this.classes()
    const rank = q * this.count
    let seen = 0
    for (const [index, count] of classes) {
      seen += count
      if (seen >= rank) return lowerBound(index + 1) / 1000
    }
    return 0
  }

  /** The samples of a Prometheus histogram: the buckets, the sum in seconds, and the count. */
  *samples(labels: Readonly<Record<string, string>>): Iterable<Sample> {
    const counts = this.#counts
    if (counts === undefined) return
    let count = 0
    let index = 0
    for (let power = FIRST_BOUND; power <= LAST_BOUND; power++) {
      const end = classOf(2 ** power)
      while (index < end) count += counts[index++]!
      yield { labels: { ...labels, le: String(2 ** power / 1e6) }, value: count, part: 'bucket' }
    }
    while (index < LATENCY_CLASSES) count += counts[index++]!
    yield { labels: { ...labels, le: '+Inf' }, value: count, part: 'bucket' }
    yield { labels, value: this.totalMs / 1000, part: 'sum' }
    yield { labels, value: count, part: 'count' }
  }
}

/** As Latencies.quantile, of the counts of all classes; NaN where there are none. */
export function quantileOf(counts: Float64Array, q: number): number {
  let rank = 0
  for (const count of counts) rank += q * count
  let seen = 0
  for (let index = 0; index < counts.length; index++) {
    seen += counts[index]!
    if (counts[index]! > 0 && seen >= rank) return lowerBound(index + 1) / 1000
  }
  return Number.NaN
}

function classOf(microseconds: number): number {
  const whole = Math.min(microseconds, MICROSECONDS_MAX) | 0
  // A clock that was set back has no class of its own.
  if (whole < PARTS) return Math.max(0, whole)
  const power = 31 - Math.clz32(whole)
  return (power - PARTS_BITS + 1) * PARTS + ((whole >> (power - PARTS_BITS)) & (PARTS - 1))
}

/** The least duration of a class, in microseconds. */
function lowerBound(index: number): number {
  if (index < PARTS) return index
  return (PARTS + (index & (PARTS - 1))) * 2 ** ((index >> PARTS_BITS) - 1)
}
