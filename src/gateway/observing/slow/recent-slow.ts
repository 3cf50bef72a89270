/** An operation that the slow log has reported. */
export interface SlowOperation {
  /** The time when it ended, in milliseconds since 1970. */
  readonly at: number
  readonly operation: string
  readonly table: string | undefined
  readonly client: string | undefined
  readonly user: string | undefined
  readonly storeMs: number
  readonly figures: Readonly<Record<string, unknown>>
}

/** Takes slow operations, here or for another thread. */
export interface SlowOperations {
  add(operation: SlowOperation): void
}

const KEPT_MAX = 200

/** The last operations of the slow log, for the web door: its users may not see the log. */
export class RecentSlow implements SlowOperations {
  /** The limit of the slow log, in milliseconds. */
  readonly limitMs: number
  /** Slow operations since the start. */
  count = 0
  readonly #kept: SlowOperation[] = []

  constructor(limitMs: number) {
    this.limitMs = limitMs
  }

  add(operation: SlowOperation): void {
    this.count++
    this.#kept.push(operation)
    if (this.#kept.length > KEPT_MAX) this.#kept.shift()
  }

  /** The kept operations, the latest first. */
  list(): SlowOperation[] {
    return this.#kept.toReversed()
  }
}
