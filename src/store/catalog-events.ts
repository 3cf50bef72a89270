import { HBaseError } from '../model/errors.ts'
import type { Call } from './call.ts'
import type { CatalogEvent, CatalogEvents } from './catalog.ts'

/** Events that the log keeps for watchers. */
const EVENTS_MAX = 1024
/** A longer delay than this overflows setTimeout. */
const TIMER_MS_MAX = 0x7fffffff
/** More events than a catalog has in a millisecond: no two logs of one store share a position. */
const POSITIONS_PER_MS = 1000

/**
 * The latest events of a catalog: all that a store needs for Catalog.watch. Positions count on from the time at which the log was
 * made, so that a position from before a restart is known as such.
 */
export class CatalogEventLog {
  readonly #now: () => number
  readonly #events: CatalogEvent[] = []
  /** Calls that wait for an event. */
  readonly #waiting = new Set<() => void>()
  #position: number
  readonly #first: number
  #isClosed = false

  /** `now`: milliseconds since 1970. */
  constructor(now: () => number) {
    this.#now = now
    this.#first = now() * POSITIONS_PER_MS
    this.#position = this.#first
  }

  add(event: CatalogEvent): void {
    this.#events.push(event)
    if (this.#events.length > EVENTS_MAX) this.#events.shift()
    this.#position++
    this.#wakeAll()
  }

  /** As Catalog.watch. Throws UNAVAILABLE once the store is closed. */
  async watch(position: number, { signal, deadline }: Call): Promise<CatalogEvents> {
    let isTimeOver = false
    while (true) {
      if (this.#isClosed) throw new HBaseError('UNAVAILABLE', 'the store is closed')
      if (signal?.aborted === true) throw new HBaseError('CALLER_GONE', 'the client has hung up')
      const restMs = deadline - this.#now()
      const isAtEnd = position === this.#position || (position === 0 && this.#position === this.#first)
      if (!isAtEnd || isTimeOver || restMs <= 0) return this.#since(position)
      isTimeOver = await this.#eventOr(restMs, signal)
    }
  }

  /** Ends the calls that wait. */
  close(): void {
    this.#isClosed = true
    this.#wakeAll()
  }

  #since(position: number): CatalogEvents {
    const missing = this.#position - (position === 0 ? this.#first : position)
    const isFromAnotherStart = position !== 0 && (position < this.#first || missing < 0)
    const isIncomplete = isFromAnotherStart || missing > this.#events.length
    const events = isIncomplete ? [...this.#events] : this.#events.slice(this.#events.length - missing)
    return { position: this.#position, events, isIncomplete }
  }

  /** Waits for an event, the end of the caller or the end of the time; true where the time ended first. */
  #eventOr(restMs: number, signal: AbortSignal | undefined): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (isTimeOver: boolean): void => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', wake)
        this.#waiting.delete(wake)
        resolve(isTimeOver)
      }
      const wake = (): void => end(false)
      const timer = restMs > TIMER_MS_MAX ? undefined : setTimeout(() => end(true), Math.ceil(restMs))
      signal?.addEventListener('abort', wake)
      this.#waiting.add(wake)
    })
  }

  #wakeAll(): void {
    for (const wake of this.#waiting) wake()
  }
}
