/**
 * The memory that clients may make the server use, in one sum for all doors: bodies that are being received, what is decoded
 * from them, and answers that wait for their readers. Whoever wants memory for a client takes it here first. What the store
 * keeps (memstores, block cache) has its own limits, which are set apart from this sum.
 */

import { HBaseError } from '../model/errors.ts'
import { counter, gauge, type Metric } from '../model/metric.ts'

/** Freed memory of so many bytes is worth a collection before more is granted. */
const COLLECTED_BYTES_MIN = 16 * 1024 * 1024
/** Beyond this part of the budget, nothing is held that can be read again. */
const AHEAD_PART = 1 / 4
/** Freed memory of so small a part of a small budget is worth it, too. */
const UNCOLLECTED_PART = 1 / 4
/** After a burst the memory goes back to the system, once nothing has been given back for so long. */
const QUIET_MS = 2000
/** Requests wait so long for memory that others give back, before they are refused. */
export const ROOM_WAIT_MS = 30_000

/** There is no room for so many bytes more. */
export class NoRoom extends HBaseError {
  readonly bytes: number

  constructor(bytes: number, message: string) {
    super('OVERLOADED', message)
    this.bytes = bytes
  }
}

interface Waiter {
  readonly bytes: number
  /** The memory that the waiting request holds. */
  readonly held: () => number
  /** `hasRoom`: so many bytes have been taken for it. */
  readonly settle: (hasRoom: boolean) => void
}

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
  /** Requests that wait, the oldest first. */
  #waiting: Waiter[] = []
  #wakeIsDue = false

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

  /** Whether requests wait for memory. */
  get isWaitedFor(): boolean {
    return this.#waiting.length > 0
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
    this.#collectFor(bytes)
    this.#granted += bytes
  }

  /** Throws OVERLOADED where less is free. */
  check(bytes: number, what: string): void {
    if (this.#granted + bytes <= this.bytesMax) return
    this.refused++
    throw new NoRoom(
      bytes,
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
    this.#wakeSoon()
    if (this.#uncollected < COLLECTED_BYTES_MIN || this.#collect === undefined) return
    if (this.#quiet === undefined) this.#quiet = setTimeout(() => this.#collectNow(), QUIET_MS).unref()
    else this.#quiet.refresh()
  }

  /**
   * Resolves to true once there is room for the bytes of a refusal, which are then taken: the caller passes them to `putBack` and
   * carries out at once what was refused. Resolves to false after so many milliseconds, and where waiting is in vain. The request
   * that has waited longest goes first. `held`: the memory that the caller holds.
   */
  async awaitRoom({ bytes }: NoRoom, held: () => number, ms: number): Promise<boolean> {
    if (bytes + held() > this.bytesMax) return false
    // Not refused yet.
    this.refused--
    return new Promise((resolve) => {
      const settle = (hasRoom: boolean): void => {
        this.#waiting = this.#waiting.filter((other) => other !== waiter)
        if (!hasRoom) this.refused++
        clearTimeout(timer)
        resolve(hasRoom)
        // There may be room for those behind it that want less.
        if (!hasRoom) this.#wakeSoon()
      }
      const timer = setTimeout(() => settle(false), ms)
      const waiter: Waiter = { bytes, held, settle }
      this.#waiting.push(waiter)
      this.#wakeSoon()
    })
  }

  /** Undoes what awaitRoom has taken. Who takes it again in the same turn of the microtasks is before others that wait. */
  putBack(bytes: number): void {
    this.#granted -= bytes
    this.#wakeSoon()
  }

  /** Whoever gives memory back may take it again before others that wait do. */
  #wakeSoon(): void {
    if (this.#wakeIsDue || this.#waiting.length === 0) return
    this.#wakeIsDue = true
    queueMicrotask(() => {
      this.#wakeIsDue = false
      this.#wake()
    })
  }

  #wake(): void {
    for (let first = this.#waiting[0]; first !== undefined; first = this.#waiting[0]) {
      const { bytes } = first
      if (this.#granted + bytes > this.bytesMax) break
      this.#collectFor(bytes)
      this.#granted += bytes
      first.settle(true)
    }
    // Requests that all wait for each other's memory would wait in vain: the youngest that holds any gives way.
    const held = this.#waiting.reduce((sum, waiter) => sum + waiter.held(), 0)
    if (this.#waiting.length === 0 || held < this.#granted) return
    const youngest = this.#waiting.findLast((waiter) => waiter.held() > 0)
    youngest?.settle(false)
  }

  /** Memory that was freed and not collected is there as much as that which is granted. */
  #collectFor(bytes: number): void {
    const { bytesMax } = this
    const worthIt = Math.min(COLLECTED_BYTES_MIN, bytesMax * UNCOLLECTED_PART)
    if (this.#uncollected < worthIt || this.#granted + this.#uncollected + bytes <= bytesMax) return
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

  /** Whether there would be room for so many bytes more if nobody else held any. */
  canEverTake(bytes: number): boolean {
    return this.#bytes + bytes <= this.#budget.bytesMax
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
    const budget = this.#budget
    const until = performance.now() + ROOM_WAIT_MS
    for (let error = refusal; ; ) {
      if (!(error instanceof NoRoom)) throw error
      const restMs = until - performance.now()
      if (restMs <= 0 || !(await budget.awaitRoom(error, () => this.#bytes, restMs))) throw error
      budget.putBack(error.bytes)
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
