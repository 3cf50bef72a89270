import { setTimeout as later } from 'node:timers/promises'

/** A job that waits looks up again within this time: it may have been cancelled. */
const WAIT_MS_MAX = 50
/** Time whose share of bytes may be written at once. */
const BURST_MS = 50

/** Keeps compactions to a number of bytes a second. HBase: PressureAwareCompactionThroughputController. */
export class RateLimit {
  /** Infinity: no limit. */
  bytesPerSecond: number = Number.POSITIVE_INFINITY
  /** The moment by which all bytes so far may have been written. */
  #paidUntil = 0

  /** Counts bytes, which are written already. */
  wrote(bytes: number): void {
    const idle = performance.now() - BURST_MS
    this.#paidUntil = Math.max(this.#paidUntil, idle) + (bytes / this.bytesPerSecond) * 1000
  }

  /** Whether more was written than the rate allows. */
  get isAhead(): boolean {
    return this.#paidUntil > performance.now()
  }

  /** Waits until it is not, or for a short while. */
  async wait(): Promise<void> {
    const wait = this.#paidUntil - performance.now()
    if (wait > 0) await later(Math.min(Math.ceil(wait), WAIT_MS_MAX))
  }
}
