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
/** Clients give standing memory back so soon, as a rule. After that, requests that hold the rest give way to each other. */
const STANDING_WAIT_MS = 2000
/** After that time, requests that wait are looked at so often. */
const STALL_LOOK_MS = 100

/** There is no room for so many bytes more. */
export class NoRoom extends HBaseError {
  readonly bytes: number

  constructor(bytes: number, message: string) {
    super('OVERLOADED', message)
    this.bytes = bytes
  }
}

/** The outcome of a wait for memory. `gone`: the client no longer waits for an answer. */
export type Room = 'taken' | 'refused' | 'gone'

interface Waiter {
  readonly bytes: number
  /** The memory that the waiting request holds. */
  readonly held: () => number
  /** `taken`: so many bytes have been taken for it. */
  readonly settle: (room: Room) => void
}

export class MemoryBudget {
  /** Infinity: no limit. */
  readonly bytesMax: number
  /** Number of refusals. */
  refused = 0
  readonly #collect: (() => void) | undefined
  #granted = 0
  /** The part of it that clients alone can give back: open scanners, and answers that have not been read. */
  #standing = 0
  /** Set once requests wait that hold all memory but the standing one, until one of them has its memory. */
  #stalled: NodeJS.Timeout | undefined
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

  /** Bytes that were given back, or used for a moment, since the last collection. */
  get uncollected(): number {
    return this.#uncollected
  }

  get standing(): number {
    return this.#standing
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
    this.#collectFor(bytes)
    this.#granted += bytes
  }

  /** Clients have used so many bytes for a moment, uncounted, such as a chunk that was copied: they may still be in memory. */
  spent(bytes: number): void {
    this.#uncollected += bytes
    this.#collectFor(0)
  }

  /** So many of the granted bytes are standing from now on, or are so no more where `bytes` is negative. */
  stand(bytes: number): void {
    this.#standing += bytes
    if (bytes > 0) this.#wakeSoon()
  }

  /** As note, of memory that stands until giveStanding. */
  noteStanding(bytes: number): void {
    this.note(bytes)
    this.stand(bytes)
  }

  giveStanding(bytes: number): void {
    this.#standing -= bytes
    this.give(bytes)
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
   * Resolves to `taken` once there is room for the bytes of a refusal, which are then taken: the caller passes them to `putBack` and
   * carries out at once what was refused. Resolves to `refused` after so many milliseconds, and where waiting is in vain, and to `gone`
   * as soon as `gone` is aborted. The request that has waited longest goes first. `held`: the memory that the caller holds.
   */
  async awaitRoom({ bytes }: NoRoom, held: () => number, ms: number, gone?: AbortSignal): Promise<Room> {
    if (bytes + held() > this.bytesMax) return 'refused'
    // Not refused yet.
    this.refused--
    if (gone?.aborted === true) return 'gone'
    return new Promise((resolve) => {
      const settle = (room: Room): void => {
        this.#waiting = this.#waiting.filter((other) => other !== waiter)
        gone?.removeEventListener('abort', leave)
        clearTimeout(timer)
        if (room === 'refused') this.refused++
        resolve(room)
        // There may be room for those behind it that want less.
        if (room !== 'taken') this.#wakeSoon()
      }
      const leave = (): void => settle('gone')
      const timer = setTimeout(() => settle('refused'), ms)
      const waiter: Waiter = { bytes, held, settle }
      gone?.addEventListener('abort', leave)
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
      this.#goesOn()
      first.settle('taken')
    }
    if (this.#waiting.length === 0) this.#goesOn()
    else if (!this.#waitsForItself) return
    else if (this.#standing === 0) this.#giveWay()
    else this.#stalled ??= setTimeout(() => this.#stallEnds(), STANDING_WAIT_MS).unref()
  }

  /** Whether requests that wait hold all memory but the standing one: no request that runs will give any back. */
  get #waitsForItself(): boolean {
    if (this.#waiting.length === 0) return false
    const held = this.#waiting.reduce((sum, waiter) => sum + waiter.held(), 0)
    return held > 0 && held >= this.#granted - this.#standing
  }

  /** Requests that all wait for each other's memory would wait in vain: the youngest that holds any gives way. */
  #giveWay(): void {
    this.#waiting.findLast((waiter) => waiter.held() > 0)?.settle('refused')
  }

  #stallEnds(): void {
    this.#stalled = undefined
    const [first] = this.#waiting
    if (first === undefined) return
    if (!this.#waitsForItself) {
      // A small request holds some memory just now, as there may be one at any time.
      this.#stalled = setTimeout(() => this.#stallEnds(), STALL_LOOK_MS).unref()
      return
    }
    // Otherwise there would be no room for the first even if all others gave way: it waits for standing memory.
    const canGoOn = this.#standing + first.held() + first.bytes <= this.bytesMax
    if (canGoOn) this.#giveWay()
  }

  #goesOn(): void {
    if (this.#stalled === undefined) return
    clearTimeout(this.#stalled)
    this.#stalled = undefined
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

/** Metrics of the memory for requests. `Infinity` where it has no limit. */
export function memoryMetrics(memory: MemoryBudget): Metric[] {
  return [
    gauge('tidegate_memory_max_bytes', 'Memory that requests and answers may take', () => memory.bytesMax),
    gauge('tidegate_memory_granted_bytes', 'Memory that requests and answers take now', () => memory.granted),
    gauge(
      'tidegate_memory_uncollected_bytes',
      'Memory that requests have given back and that may not be collected yet',
      () => memory.uncollected,
    ),
    counter(
      'tidegate_memory_refused_total',
      'Requests that were refused for want of memory',
      () => memory.refused,
    ),
  ]
}
