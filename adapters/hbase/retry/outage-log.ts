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
  /** Since the outage began. */
  #lastSuccess: number | undefined
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

  /** The reason, where nothing else succeeds meanwhile: one region may fail for long that concerns few. */
  get reasonOfAll(): string | undefined {
    const isOfAll = this.#lastSuccess === undefined || this.#time.now() - this.#lastSuccess >= QUIET_MS
    return isOfAll ? this.reason : undefined
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
    this.#lastSuccess = undefined
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
    this.#lastSuccess = now
    if (now - this.#lastFailure < QUIET_MS) return
    this.#endedMs += now - this.#since
    const fields = { failedOperations: this.#failures, outageMs: Math.round(this.#lastFailure - this.#since) }
    this.#since = undefined
    this.#failures = 0
    this.#log('info', 'the cluster serves again', fields)
  }
}
