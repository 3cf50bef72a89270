/** The use of limits by one request. HBase: DefaultOperationQuota, ExceedOperationQuota. */

import { type Consumption, capacityUnits, type QuotaLimiter } from './quota-limiter.ts'

/** Bytes that a mutation counts before its size is known. */
const MUTATION_BYTES = 100
/** Bytes that a batch of gets or a batch of a scan counts before: a block of a store file. */
const BLOCK_BYTES = 65_536
/** The most that a batch of a scan counts before, as a part of the limit. */
const SCAN_PART = 0.9

export interface Limits {
  /** The limiters of the user, the table, the namespace and the region servers, in this order. */
  readonly limiters: readonly QuotaLimiter[]
  /** The limiter of the region servers, where a request may exceed the others but not this one; undefined: it may exceed none. */
  readonly exceeding?: QuotaLimiter | undefined
}

export class OperationQuota {
  readonly #limits: Limits
  readonly #asked: Consumption
  #exceeds = false

  private constructor(limits: Limits, asked: Consumption) {
    this.#limits = limits
    this.#asked = asked
  }

  /** Begins a batch of gets or mutations. Throws THROTTLED. */
  static ofBatch(limits: Limits, writes: number, reads: number, now: number): OperationQuota {
    const readBytes = reads > 0 ? BLOCK_BYTES : 0
    return OperationQuota.#checked(
      limits,
      { writes, reads, writeBytes: MUTATION_BYTES * writes, readBytes },
      now,
    )
  }

  /** Begins a batch of a scan. Throws THROTTLED. */
  static ofScan(limits: Limits, now: number): OperationQuota {
    const least = Math.min(...limits.limiters.map(({ readLimit }) => readLimit))
    const readBytes = Math.min(BLOCK_BYTES, Math.round(SCAN_PART * least))
    return OperationQuota.#checked(limits, { writes: 0, reads: 1, writeBytes: 0, readBytes }, now)
  }

  static #checked(limits: Limits, asked: Consumption, now: number): OperationQuota {
    const quota = new OperationQuota(limits, asked)
    const { limiters, exceeding } = limits
    exceeding?.check(asked, now)
    try {
      for (const limiter of limiters) limiter.check(asked, now)
    } catch (error) {
      if (exceeding === undefined) throw error
      quota.#exceeds = true
    }
    for (const limiter of quota.#counting) limiter.consume(asked)
    return quota
  }

  /** The limiters that count the request. One beyond its quotas counts for the region servers alone. */
  get #counting(): readonly QuotaLimiter[] {
    const { limiters, exceeding } = this.#limits
    return this.#exceeds ? [exceeding!] : limiters
  }

  /** Ends the request: the bytes of its cells replace the expected ones. */
  end(writeBytes: number, readBytes: number): void {
    const { writeBytes: askedToWrite, readBytes: askedToRead } = this.#asked
    const more = { writeBytes: writeBytes - askedToWrite, readBytes: readBytes - askedToRead }
    const units = {
      write: capacityUnits(writeBytes) - capacityUnits(askedToWrite),
      read: capacityUnits(readBytes) - capacityUnits(askedToRead),
    }
    for (const limiter of this.#counting) limiter.correct(more, units)
  }
}
