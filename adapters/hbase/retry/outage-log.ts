import type { HBaseError } from '../../../src/model/errors.ts'
import type { Time } from './time.ts'

export type OutageListener = (
  level: 'info' | 'warn',
  message: string,
  fields: Readonly<Record<string, unknown>>,
) => void

/** An outage is over when something has succeeded and nothing been given up for so long: one that flickers is one. */
const QUIET_MS = 5_000

/** Says once that operations fail because of the cluster, and once that they succeed again: not for each of them. */
export class OutageLog {
  readonly #time: Time
  readonly #log: OutageListener
  #since: number | undefined
  #lastFailure = 0
  #failures = 0

  constructor(time: Time, log: OutageListener) {
    this.#time = time
    this.#log = log
  }

  /** An operation was given up that would be tried again if there were time. */
  failed(error: HBaseError): void {
    this.#lastFailure = this.#time.now()
    this.#failures++
    if (this.#since !== undefined) return
    this.#since = this.#lastFailure
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
    const fields = { failedOperations: this.#failures, outageMs: Math.round(this.#lastFailure - this.#since) }
    this.#since = undefined
    this.#failures = 0
    this.#log('info', 'the cluster serves again', fields)
  }
}
