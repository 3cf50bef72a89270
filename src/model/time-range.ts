import { HBaseError } from './errors.ts'
import { compareTimestamps, LATEST_TIMESTAMP, timestampHigh, timestampLow } from './timestamp.ts'

/**
 * Timestamps in [min, max). The range [0, Long.MAX_VALUE) means all time and then admits every timestamp, negative ones
 * and Long.MAX_VALUE included. HBase: org.apache.hadoop.hbase.io.TimeRange.
 */
export class TimeRange {
  static readonly ALL: TimeRange = new TimeRange(0n, LATEST_TIMESTAMP)

  readonly min: bigint
  readonly max: bigint
  readonly isAllTime: boolean
  readonly #minHigh: number
  readonly #minLow: number
  readonly #maxHigh: number
  readonly #maxLow: number

  private constructor(min: bigint, max: bigint) {
    this.min = min
    this.max = max
    this.isAllTime = min === 0n && max === LATEST_TIMESTAMP
    this.#minHigh = timestampHigh(min)
    this.#minLow = timestampLow(min)
    this.#maxHigh = timestampHigh(max)
    this.#maxLow = timestampLow(max)
  }

  /** Throws ILLEGAL_ARGUMENT for a negative bound or max < min, with HBase's words. */
  static between(min: bigint, max: bigint): TimeRange {
    if (min < 0n || max < 0n) {
      throw new HBaseError(
        'ILLEGAL_ARGUMENT',
        `Timestamp cannot be negative. minStamp:${min}, maxStamp:${max}`,
      )
    }
    if (max < min) {
      throw new HBaseError('ILLEGAL_ARGUMENT', 'maxStamp is smaller than minStamp')
    }
    return min === 0n && max === LATEST_TIMESTAMP ? TimeRange.ALL : new TimeRange(min, max)
  }

  /** Just one timestamp. Throws ILLEGAL_ARGUMENT for a negative one. HBase: TimeRange.at. */
  static at(timestamp: bigint): TimeRange {
    if (timestamp < 0n) {
      throw new HBaseError(
        'ILLEGAL_ARGUMENT',
        `Timestamp cannot be negative. minStamp:${timestamp}, maxStamp:${LATEST_TIMESTAMP}`,
      )
    }
    return new TimeRange(timestamp, timestamp === LATEST_TIMESTAMP ? timestamp : timestamp + 1n)
  }

  includes(high: number, low: number): boolean {
    return this.isAllTime || (this.startsAtOrBefore(high, low) && !this.endsAtOrBefore(high, low))
  }

  /** True if the timestamp is not older than the range's start. */
  startsAtOrBefore(high: number, low: number): boolean {
    return compareTimestamps(high, low, this.#minHigh, this.#minLow) >= 0
  }

  /** True if the timestamp is past the range's (exclusive) end. */
  endsAtOrBefore(high: number, low: number): boolean {
    return compareTimestamps(high, low, this.#maxHigh, this.#maxLow) >= 0
  }
}
