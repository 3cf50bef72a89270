import type { HBaseError } from '../../../src/model/errors.ts'
import type { Time } from './time.ts'

export type OutageListener = (
  level: 'info' | 'warn',
  message: string,
  fields: Readonly<Record<string, unknown>>,
) => void

/** An outage ends with a success after this long without a failure, so that a flickering outage counts once. */
const QUIET_MS = 5_000

/** Logs an outage of the cluster once when it begins and once when it ends, not for each operation; counts them too. */
export class OutageLog {
  readonly #time: Time
  readonly #log: OutageListener
  #since: number | undefined
  #reason = ''
  #lastFailure = 0
  /** The time of the last success since the outage began; undefined where there was none. */
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

  /** The reason where no operation succeeds; undefined where some do: a single region that fails for long concerns few clients. */
  get reasonOfAll(): string | undefined {
    const isOfAll = this.#lastSuccess === undefined || this.#time.now() - this.#lastSuccess >= QUIET_MS
    return isOfAll ? this.reason : undefined
  }

  get begun(): number {
    return this.#begun
  }

  /** Total length of outages, the present one included. */
  get totalMs(): number {
    return this.#endedMs + (this.#since === undefined ? 0 : this.#time.now() - this.#since)
  }

  /** An operation was given up although another attempt might have succeeded. */
  failed(error: HBaseError): void {
    this.#lastFailure = this.#time.now()
    this.#failures++
    this.#reason = error.message
    if (this.#since !== undefined) return
    this.#since = this.#lastFailure
    this.#lastSuccess = undefined
    this.#begun++
    const message = `the cluster does not serve (${error.message}): operations fail until it does; see whether its ZooKeeper, master and region servers are up, and reachable from here`
    this.#log('warn', message, { code: error.code, reason: error.message })
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
