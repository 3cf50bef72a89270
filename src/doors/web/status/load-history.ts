/** An hour of the server's load, a point each five seconds, so that the plots of the console are full when a page opens. */

import { performance } from 'node:perf_hooks'
import { getHeapStatistics } from 'node:v8'
import type { Door } from '../../../gateway/door.ts'
import type { MemoryBudget } from '../../../gateway/limits/memory-budget.ts'
import { LATENCY_CLASSES, quantileOf } from '../../../model/latencies.ts'
import { residentBytes } from '../../../model/resident-bytes.ts'

export const POINT_MS = 5000
/** Points that are kept: an hour. */
export const POINTS = 720

/** Figures of the whole server, each of the time since the point before. */
const FIGURES = ['p50', 'p99', 'refused', 'failed', 'connections', 'busy', 'heap', 'rss', 'requests'] as const
type Figure = (typeof FIGURES)[number]

/** The points as the console reads them. A value that is not known is null. */
export interface LoadPoints {
  /** Milliseconds since 1970, the oldest first. */
  readonly at: readonly number[]
  /** Requests a second by door, without those of the console itself. */
  readonly doors: Readonly<Record<string, readonly (number | null)[]>>
  /**
   * `p50` and `p99` in milliseconds, `refused` and `failed` a second, `busy` from 0 to 1 (the event loop), sizes in bytes; `requests`: the
   * memory of requests and answers.
   */
  readonly figures: Readonly<Record<Figure, readonly (number | null)[]>>
}

type Doors = ReadonlyMap<string, Pick<Door, 'counters'>>

export interface HistoryParts {
  readonly doors: Doors
  readonly memory: Pick<MemoryBudget, 'granted'>
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Milliseconds that never go back. */
  readonly elapsed: () => number
}

/** Typed arrays as rings: 5.8 KB of times, and 2.9 KB for each door and each figure. */
export class LoadHistory {
  readonly #parts: HistoryParts
  readonly #at = new Float64Array(POINTS)
  readonly #figures: Readonly<Record<Figure, Float32Array>>
  readonly #doors = new Map<string, Float32Array>()
  /** Requests of each door at the last point. */
  readonly #answered = new Map<string, number>()
  #counts = new Float64Array(LATENCY_CLASSES)
  #before = new Float64Array(LATENCY_CLASSES)
  #utilization = performance.eventLoopUtilization()
  #refused = 0
  #failed = 0
  #count = 0
  #last: number

  constructor(parts: HistoryParts) {
    this.#parts = parts
    this.#last = parts.elapsed()
    const rings = FIGURES.map((figure) => [figure, newRing()] as const)
    this.#figures = Object.fromEntries(rings) as Record<Figure, Float32Array>
  }

  /** Bytes of the rings. */
  get bytes(): number {
    const rings = FIGURES.length + this.#doors.size
    return this.#at.byteLength + rings * POINTS * Float32Array.BYTES_PER_ELEMENT
  }

  /** Adds a point: the load since the point before. */
  take(): void {
    const { doors, memory, now, elapsed } = this.#parts
    const time = elapsed()
    const seconds = Math.max(0.001, (time - this.#last) / 1000)
    this.#last = time
    const index = this.#count++ % POINTS
    this.#at[index] = now()
    for (const ring of this.#doors.values()) ring[index] = Number.NaN
    let [refused, failed, connections] = [0, 0, 0]
    this.#counts.fill(0)
    for (const [door, { counters }] of doors) {
      connections += counters.connections()
      let answered = 0
      for (const { service, counts } of counters.asked()) {
        // Else an open page would draw itself.
        if (door === 'web' && service === 'console') continue
        answered += counts.ok + counts.refused + counts.failed
        refused += counts.refused
        failed += counts.failed
        counts.latencies.addTo(this.#counts)
      }
      const ring = this.#doors.get(door) ?? newRing()
      this.#doors.set(door, ring)
      ring[index] = Math.max(0, answered - (this.#answered.get(door) ?? 0)) / seconds
      this.#answered.set(door, answered)
    }
    const utilization = performance.eventLoopUtilization()
    const [p50, p99] = this.#quantiles()
    this.#set(index, {
      p50,
      p99,
      refused: Math.max(0, refused - this.#refused) / seconds,
      failed: Math.max(0, failed - this.#failed) / seconds,
      connections,
      busy: performance.eventLoopUtilization(utilization, this.#utilization).utilization,
      heap: getHeapStatistics().used_heap_size,
      rss: residentBytes(),
      requests: memory.granted,
    })
    this.#utilization = utilization
    this.#refused = refused
    this.#failed = failed
  }

  /** The points after `since`, milliseconds since 1970. */
  points(since: number): LoadPoints {
    const kept = Math.min(this.#count, POINTS)
    const indexes = Array.from({ length: kept }, (_, i) => (this.#count - kept + i) % POINTS).filter(
      (index) => this.#at[index]! > since,
    )
    const valuesOf = (ring: Float32Array): (number | null)[] =>
      indexes.map((index) => shortNumber(ring[index]!))
    const figures = FIGURES.map((figure) => [figure, valuesOf(this.#figures[figure])] as const)
    return {
      at: indexes.map((index) => this.#at[index]!),
      doors: Object.fromEntries([...this.#doors].map(([door, ring]) => [door, valuesOf(ring)])),
      figures: Object.fromEntries(figures) as Record<Figure, (number | null)[]>,
    }
  }

  /** NaN where there were no requests. */
  #quantiles(): [number, number] {
    const counts = this.#counts
    const before = this.#before
    for (let i = 0; i < counts.length; i++) before[i] = Math.max(0, counts[i]! - before[i]!)
    const found: [number, number] = [quantileOf(before, 0.5), quantileOf(before, 0.99)]
    this.#before = counts
    this.#counts = before
    return found
  }

  #set(index: number, values: Readonly<Record<Figure, number>>): void {
    for (const figure of FIGURES) this.#figures[figure][index] = values[figure]
  }
}

function newRing(): Float32Array {
  return new Float32Array(POINTS).fill(Number.NaN)
}

/** Four digits are as much as a plot shows. */
function shortNumber(value: number): number | null {
  return Number.isNaN(value) ? null : Number(value.toPrecision(4))
}
