/** An operation that the slow log has told. */
export interface SlowOperation {
  /** Milliseconds since 1970 at which it ended. */
  readonly at: number
  readonly operation: string
  readonly table: string | undefined
  readonly client: string | undefined
  readonly user: string | undefined
  readonly storeMs: number
  readonly figures: Readonly<Record<string, unknown>>
}

const KEPT_MAX = 200

/** The last operations of the slow log, for people who look at the server and not at its log. */
export class RecentSlow {
  /** The limit of the slow log. */
  readonly limitMs: number
  /** How many there have been since the start. */
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

  /** The latest first. */
  list(): SlowOperation[] {
    return this.#kept.toReversed()
  }
}
