import type { Logger } from 'pino'
import { boundedFields } from '../../../model/bounded-text.ts'
import { houseError } from '../metrics.ts'
import type { SlowOperations } from './recent-slow.ts'

/** Lines in one second. Further ones are counted, for a store that is slow altogether. */
const LINES_MAX = 20
const SECOND_MS = 1000

/** An operation that is being timed. */
export interface TimedOperation {
  readonly operation: string
  readonly table: string | undefined
  readonly client: string | undefined
  /** The user of the call; undefined without a login. */
  readonly user: string | undefined
}

export type Figures = Readonly<Record<string, unknown>>

/** Times operations, and writes a line for each slow one. */
export class SlowLines {
  readonly #limitMs: number
  readonly #logger: Logger
  readonly #now: () => number
  readonly #recent: SlowOperations | undefined
  #second = 0
  #lines = 0
  #unreported = 0

  /** `now`: milliseconds since any fixed moment. */
  constructor(limitMs: number, logger: Logger, now: () => number, recent?: SlowOperations) {
    this.#limitMs = limitMs
    this.#logger = logger
    this.#now = now
    this.#recent = recent
  }

  /** Runs the work. `figures` is called for slow operations only. */
  async timed<T>(
    operation: TimedOperation,
    work: () => Promise<T>,
    figures: (result: T) => Figures,
  ): Promise<T> {
    const since = this.#now()
    try {
      const result = await work()
      const ms = this.#now() - since
      if (ms >= this.#limitMs) this.#report(operation, ms, figures(result))
      return result
    } catch (error) {
      const ms = this.#now() - since
      if (ms >= this.#limitMs)
        this.#report(operation, ms, { exception: houseError(error)?.code ?? 'INTERNAL' })
      throw error
    }
  }

  #report(timed: TimedOperation, ms: number, figures: Figures): void {
    const named = boundedFields(timed)
    const { operation, table, client, user } = named
    this.#recent?.add({ at: Date.now(), operation, table, client, user, storeMs: toMicros(ms), figures })
    const second = Math.floor(this.#now() / SECOND_MS)
    if (second !== this.#second) this.#lines = 0
    this.#second = second
    if (this.#lines >= LINES_MAX) {
      this.#unreported++
      return
    }
    this.#lines++
    const unreported = this.#unreported === 0 ? {} : { unreported: this.#unreported }
    this.#unreported = 0
    const storeMs = toMicros(ms)
    this.#logger.warn(
      { ...named, storeMs, ...figures, ...unreported },
      `slow: ${operation} of ${table ?? 'an unknown table'} took the store ${Math.round(ms)} ms`,
    )
  }
}

function toMicros(ms: number): number {
  return Math.round(ms * 1000) / 1000
}
