/**
 * The least and the greatest timestamp of a file's cells. A tombstone that hides all older cells counts from 0, so that a
 * query of old times still finds it. HBase: TimeRangeTracker.
 */

import { readInt32, writeInt32 } from '../../../src/model/bytes.ts'
import { CellType } from '../../../src/model/cell.ts'
import type { TimeRange } from '../../../src/model/time-range.ts'
import { compareTimestamps, LATEST_HIGH, LATEST_LOW } from '../../../src/model/timestamp.ts'

const ENCODED_BYTES = 16

export class TimeRangeTracker {
  #minHigh = LATEST_HIGH
  #minLow = LATEST_LOW
  #maxHigh = -1
  #maxLow = -1

  include(high: number, low: number, type: number): void {
    this.#includeTimestamp(high, low)
    if (type === CellType.DeleteColumn || type === CellType.DeleteFamily) this.#includeTimestamp(0, 0)
  }

  #includeTimestamp(high: number, low: number): void {
    if (compareTimestamps(high, low, this.#minHigh, this.#minLow) < 0) {
      this.#minHigh = high
      this.#minLow = low
    }
    if (compareTimestamps(high, low, this.#maxHigh, this.#maxLow) > 0) {
      this.#maxHigh = high
      this.#maxLow = low
    }
  }

  overlaps(range: TimeRange): boolean {
    if (range.isAllTime) return true
    return (
      !range.endsAtOrBefore(this.#minHigh, this.#minLow) &&
      range.startsAtOrBefore(this.#maxHigh, this.#maxLow)
    )
  }

  /** `min i64 | max i64`: the value of TIMERANGE in a file's info. */
  encode(): Buffer {
    const bytes = Buffer.alloc(ENCODED_BYTES)
    writeInt32(bytes, 0, this.#minHigh)
    writeInt32(bytes, 4, this.#minLow)
    writeInt32(bytes, 8, this.#maxHigh)
    writeInt32(bytes, 12, this.#maxLow)
    return bytes
  }

  /** Undefined for bytes of another form. */
  static decode(bytes: Buffer): TimeRangeTracker | undefined {
    if (bytes.length !== ENCODED_BYTES) return undefined
    const tracker = new TimeRangeTracker()
    tracker.#minHigh = readInt32(bytes, 0)
    tracker.#minLow = readInt32(bytes, 4)
    tracker.#maxHigh = readInt32(bytes, 8)
    tracker.#maxLow = readInt32(bytes, 12)
    return tracker
  }
}
