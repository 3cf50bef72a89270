import { toStringBinary } from '../../../src/model/bytes.ts'
import { reasonOf } from '../../../src/model/error-reason.ts'
import type { Region } from './region.ts'

/** Time from a failed flush to the next attempt. */
const RETRY_AFTER_MS = 10_000
/** The most regions whose troubles are reported one by one. */
const REPORTED_MAX = 5

interface Failure {
  readonly atMs: number
  readonly error: unknown
}

/** The regions whose last flush failed. Their writes go on until their memstores are full. */
export class FailedFlushes {
  readonly #now: () => number
  readonly #failures = new Map<Region, Failure>()
  /** Number of failed flushes so far. */
  count = 0

  /** `now`: milliseconds since any fixed moment. */
  constructor(now: () => number) {
    this.#now = now
  }

  failed(region: Region, error: unknown): void {
    this.count++
    this.#failures.set(region, { atMs: this.#now(), error })
  }

  succeeded(region: Region): void {
    this.#failures.delete(region)
  }

  /** Why the region's last flush failed; undefined if it did not. */
  errorOf(region: Region): unknown {
    return this.#failures.get(region)?.error
  }

  /** Why the latest of all failed flushes failed. */
  get latestError(): unknown {
    let latest: Failure | undefined
    this.#forgetClosed()
    for (const failure of this.#failures.values())
      if (latest === undefined || failure.atMs >= latest.atMs) latest = failure
    return latest?.error
  }

  /** Whether it is too early for another attempt. */
  hasJustFailed(region: Region): boolean {
    const failure = this.#failures.get(region)
    return failure !== undefined && this.#now() - failure.atMs < RETRY_AFTER_MS
  }

  /** Text for the operator: the regions that cannot be flushed, and why. */
  troubles(): string[] {
    this.#forgetClosed()
    const reported = [...this.#failures]
      .slice(0, REPORTED_MAX)
      .map(([region, { error }]) => troubleOf(region, error))
    const rest = this.#failures.size - reported.length
    return rest === 0 ? reported : [...reported, `${rest} more regions cannot be flushed`]
  }

  /** Their tables have gone. */
  #forgetClosed(): void {
    for (const region of this.#failures.keys()) if (!region.isOpen) this.#failures.delete(region)
  }
}

function troubleOf(region: Region, error: unknown): string {
  return `region ${toStringBinary(region.name)} cannot be flushed (${reasonOf(error)}): its writes are refused once its memstores are full`
}
