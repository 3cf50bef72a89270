import type { HBaseError } from '../../../src/model/errors.ts'
import type { Time } from './time.ts'

export type OutageListener = (
  level: 'info' | 'warn',
  message: string,
  fields: Readonly<Record<string, unknown>>,
) => void

/** An outage is over when something has succeeded and nothing been given up for so long: one that flickers is one. */
const QUIET_MS = 5_000

/** Says once that operations fail because of the cluster, and once that they succeed again: not for each of them. Counts too. */
export class OutageLog {
  readonly #time: Time
  readonly #log: OutageListener
  #since: number | undefined
  #reason = ''
  #lastFailure = 0
  #failures = 0
  #begun = 0
  #endedMs = 0

  constructor(time: Time, log: OutageListener) {
    this.#time = time
    this.#log = log
  }

  /** Why operations fail; undefined while there is no outage. */
  get reason(): string | undefined {
    return this.#since === undefined ? undefined : this.#reason
  }

  get begun(): number {
    return this.#begun
  }

  /** How long outages have lasted, the present one up to now. */
  get totalMs(): number {
    return this.#endedMs + (this.#since === undefined ? 0 : this.#time.now() - this.#since)
  }

  /** An operation was given up that would be tried again if there were time. */
  failed(error: HBaseError): void {
    this.#lastFailure = this.#time.now()
    this.#failures++
    this.#reason = error.message
    if (this.#since !== undefined) return
    this.#since = this.#lastFailure
    this.#begun++
    this.#log('warn', 'the cluster does not serve: operations fail until it does', {
      code: error.code,
      reason: error.message,
    })
  }

  /** Costs nothing while there is no outage. */
  succeeded(): void {
    if (this.#since === undefined) return
    const now = this.#time.now()
    if (now - this.#lastFailure < QUIET_MS) return
    this.#endedMs += now - this.#since
    const fields = { failedOperations: this.#failures, outageMs: Math.round(this.#lastFailure - this.#since) }
    this.#since = undefined
    this.#failures = 0
    this.#log('info', 'the cluster serves again', fields)
  }
}
