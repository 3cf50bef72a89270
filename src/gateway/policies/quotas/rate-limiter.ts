/** A limit for an amount in a unit of time, which is refilled steadily. HBase: RateLimiter, AverageIntervalRateLimiter. */

import { TimeUnit } from '../../../wire/rpc/gen/hbase_pb.ts'
import type { TimedQuota } from '../../../wire/rpc/gen/quota_pb.ts'

/** The units of time that HBase's servers know. */
const UNIT_MS: Readonly<Partial<Record<TimeUnit, number>>> = {
  [TimeUnit.MILLISECONDS]: 1,
  [TimeUnit.SECONDS]: 1000,
  [TimeUnit.MINUTES]: 60_000,
  [TimeUnit.HOURS]: 3_600_000,
  [TimeUnit.DAYS]: 86_400_000,
}

export class RateLimiter {
  #limit = Number.POSITIVE_INFINITY
  #unitMs = 1000
  #available = Number.POSITIVE_INFINITY
  #refilledAt: number | undefined

  /** Without a limit, or with an unknown unit: unlimited. */
  static of(quota: TimedQuota | undefined): RateLimiter {
    const limiter = new RateLimiter()
    const unitMs = quota && UNIT_MS[quota.timeUnit]
    if (quota === undefined || unitMs === undefined) return limiter
    limiter.#limit = Number(quota.softLimit)
    limiter.#unitMs = unitMs
    limiter.#available = limiter.#limit
    return limiter
  }

  get limit(): number {
    return this.#limit
  }

  get isLimited(): boolean {
    return this.#limit !== Number.POSITIVE_INFINITY
  }

  /** Takes over another limit. The used amount stays used; a higher limit adds the difference. */
  update(other: RateLimiter): void {
    const more = this.isLimited ? Math.max(0, other.#limit - this.#limit) : 0
    this.#available = Math.min(this.#available + more, other.#limit)
    this.#limit = other.#limit
    this.#unitMs = other.#unitMs
  }

  /** Milliseconds until the amount is available; 0: now. */
  waitMs(amount: number, now: number): number {
    if (!this.isLimited) return 0
    this.#available = Math.min(this.#available + this.#refill(now), this.#limit)
    if (this.#available >= amount) return 0
    return Math.trunc(((amount - this.#available) * this.#unitMs) / this.#limit)
  }

  #refill(now: number): number {
    const since = this.#refilledAt
    if (since === undefined) {
      this.#refilledAt = now
      return this.#limit
    }
    const passed = now - since
    const part = passed >= this.#unitMs ? this.#limit : Math.trunc((passed / this.#unitMs) * this.#limit)
    if (part > 0) this.#refilledAt = now
    return Math.max(0, part)
  }

  /** Takes the amount. A negative one is given back. */
  consume(amount: number): void {
    this.#available = Math.min(this.#available - amount, this.#limit)
  }
}
