/**
 * The memory that clients may make the server use, in one sum for all doors: bodies that are being received, what is decoded
 * from them, and answers that wait for their readers. Whoever wants memory for a client takes it here first. What the store
 * keeps (memstores, block cache) has its own limits, which are set apart from this sum.
 */

import { HBaseError, isHBaseError } from '../model/errors.ts'
import { counter, gauge, type Metric } from '../model/metric.ts'

/** Freed memory of so many bytes is worth a collection before more is granted. */
const COLLECTED_BYTES_MIN = 16 * 1024 * 1024
/** Beyond this part of the budget, nothing is held that can be read again. */
const AHEAD_PART = 1 / 4
/** The part of the budget that may be freed and not collected. */
const UNCOLLECTED_PART = 1 / 4
/** After a burst the memory goes back to the system, once nothing has been given back for so long. */
const QUIET_MS = 2000
/** One request waits so long for memory that others give back, before it is refused. */
const WAIT_MS = 10_000

export class MemoryBudget {
  /** Infinity: no limit. */
  readonly bytesMax: number
  /** Number of refusals. */
  refused = 0
  readonly #collect: (() => void) | undefined
  #granted = 0
  /** Given back since the last collection: the process may still hold it. */
  #uncollected = 0
  #quiet: NodeJS.Timeout | undefined
  /** Told of memory that was given back. */
  #waiting: (() => void) | undefined

  /** `collect`: lets go of memory that nobody uses any more. */
  constructor(bytesMax: number = Number.POSITIVE_INFINITY, collect?: () => void) {
    this.bytesMax = bytesMax
    this.#collect = collect
  }

  get granted(): number {
    return this.#granted
  }

  get isFull(): boolean {
    return this.#granted > this.bytesMax
  }

  /** What may still be taken. */
  get free(): number {
    return Math.max(0, this.bytesMax - this.#granted)
  }

  /** Whether so many bytes may be held only to save work later. Everybody's requests go before that. */
  allowsAhead(bytes: number): boolean {
    return this.#granted + bytes <= this.bytesMax * AHEAD_PART
  }

  /** Takes so many bytes, which `give` gives back. Throws OVERLOADED where too little is free. */
  take(bytes: number, what: string): void {
    this.check(bytes, what)
    if (bytes >= COLLECTED_BYTES_MIN) this.#collectIfWorthIt()
    this.#granted += bytes
  }

  /** Throws OVERLOADED where less is free. */
  check(bytes: number, what: string): void {
    if (this.#granted + bytes <= this.bytesMax) return
    this.refused++
    throw new HBaseError(
      'OVERLOADED',
      `no memory for ${what}: it takes ${bytes} bytes, and of ${this.bytesMax} bytes for requests ${this.free} are free. Try again, or raise --memory-max`,
    )
  }

  /** Takes bytes that are there already, such as an encoded answer, even beyond the limit: others then have to wait. */
  note(bytes: number): void {
    this.#granted += bytes
  }

  give(bytes: number): void {
    if (bytes === 0) return
    this.#granted -= bytes
    this.#uncollected += bytes
    this.#waiting?.()
    if (this.#uncollected < COLLECTED_BYTES_MIN || this.#collect === undefined) return
    if (this.#quiet === undefined) this.#quiet = setTimeout(() => this.#collectNow(), QUIET_MS).unref()
    else this.#quiet.refresh()
  }

  /**
   * Resolves to true once memory was given back; to false where another request waits already, where nobody else holds any, and
   * after so many milliseconds. `held`: what the caller holds. That one waits, and the others are refused, keeps requests that
   * each hold a part of what they need from being refused all together.
   */
  async awaitRoom(held: number, ms: number): Promise<boolean> {
    if (this.#waiting !== undefined || this.#granted <= held) return false
    // Not refused yet.
    this.refused--
    return new Promise((resolve) => {
      const end = (hasRoom: boolean): void => {
        this.#waiting = undefined
        if (!hasRoom) this.refused++
        clearTimeout(timer)
        resolve(hasRoom)
      }
      const timer = setTimeout(() => end(false), ms)
      this.#waiting = () => end(true)
    })
  }

  #collectIfWorthIt(): void {
    const { bytesMax } = this
    if (this.#uncollected < Math.max(COLLECTED_BYTES_MIN, bytesMax * UNCOLLECTED_PART)) return
    this.#collectNow()
  }

  #collectNow(): void {
    clearTimeout(this.#quiet)
    this.#quiet = undefined
    this.#uncollected = 0
    this.#collect?.()
  }
}

/** The memory of one request, given back as a whole. */
export class MemoryGrant {
  readonly #budget: MemoryBudget
  #bytes = 0
  #isReleased = false

  constructor(budget: MemoryBudget) {
    this.#budget = budget
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Throws OVERLOADED. */
  take(bytes: number, what: string): void {
    if (this.#isReleased) return
    this.#budget.take(bytes, what)
    this.#bytes += bytes
  }

  /** As MemoryBudget.note. */
  note(bytes: number): void {
    if (this.#isReleased) return
    this.#budget.note(bytes)
    this.#bytes += bytes
  }

  give(bytes: number): void {
    if (this.#isReleased) return
    this.#budget.give(bytes)
    this.#bytes -= bytes
  }

  /**
   * Carries out a task that takes memory of this grant: at once, which is told by undefined, or else when others have given
   * memory back. Rejects with OVERLOADED, and with whatever else the task throws.
   */
  atOnceOrLater(task: () => void): Promise<void> | undefined {
    try {
      task()
      return undefined
    } catch (error) {
      return this.#later(task, error)
    }
  }

  async #later(task: () => void, refusal: unknown): Promise<void> {
    const until = performance.now() + WAIT_MS
    for (let error = refusal; ; ) {
      if (!isHBaseError(error) || error.code !== 'OVERLOADED') throw error
      const restMs = until - performance.now()
      if (restMs <= 0 || !(await this.#budget.awaitRoom(this.#bytes, restMs))) throw error
      try {
        task()
        return
      } catch (again) {
        error = again
      }
    }
  }

  /** Makes the grant so many bytes, which are there already. */
  hold(bytes: number): void {
    const more = bytes - this.#bytes
    if (more > 0) this.note(more)
    else if (more < 0) this.give(-more)
  }

  release(): void {
    this.give(this.#bytes)
    this.#isReleased = true
  }
}

/** Metrics of the memory for requests. `Infinity` where it has no limit. */
export function memoryMetrics(memory: MemoryBudget): Metric[] {
  return [
    gauge('tidegate_memory_max_bytes', 'Memory that requests and answers may take', () => memory.bytesMax),
    gauge('tidegate_memory_granted_bytes', 'Memory that requests and answers take now', () => memory.granted),
    counter(
      'tidegate_memory_refused_total',
      'Requests that were refused for want of memory',
      () => memory.refused,
    ),
  ]
}
