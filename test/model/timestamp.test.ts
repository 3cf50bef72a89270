import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { HBaseError } from '../../src/model/errors.ts'
import { TimeRange } from '../../src/model/time-range.ts'
import {
  compareTimestamps,
  LATEST_TIMESTAMP,
  millisHigh,
  millisLow,
  readTimestamp,
  timestampHigh,
  timestampLow,
  timestampOf,
  timestampText,
  writeTimestamp,
} from '../../src/model/timestamp.ts'
import { anyTimestamp } from './arbitrary-cells.ts'

describe('a timestamp', () => {
  test('is exact as halves, as bytes and as text', () => {
    fc.assert(
      fc.property(anyTimestamp, (timestamp) => {
        const high = timestampHigh(timestamp)
        const low = timestampLow(timestamp)
        expect(timestampOf(high, low)).toBe(timestamp)
        expect(timestampText(high, low)).toBe(timestamp.toString())
        const bytes = Buffer.alloc(9)
        writeTimestamp(bytes, 1, timestamp)
        expect(bytes.readBigInt64BE(1)).toBe(timestamp)
        expect(readTimestamp(bytes, 1)).toBe(timestamp)
      }),
    )
  })

  test('orders as a signed number', () => {
    fc.assert(
      fc.property(anyTimestamp, anyTimestamp, (a, b) => {
        const order = compareTimestamps(timestampHigh(a), timestampLow(a), timestampHigh(b), timestampLow(b))
        expect(order).toBe(a < b ? -1 : a > b ? 1 : 0)
      }),
    )
  })

  test('comes from a clock without a bigint', () => {
    fc.assert(
      fc.property(fc.integer({ min: -8e15, max: 8e15 }), (millis) => {
        expect(timestampOf(millisHigh(millis), millisLow(millis))).toBe(BigInt(millis))
      }),
    )
  })
})

function includes(range: TimeRange, timestamp: bigint): boolean {
  return range.includes(timestampHigh(timestamp), timestampLow(timestamp))
}

describe('a time range', () => {
  test('has an exclusive end', () => {
    fc.assert(
      fc.property(
        fc.bigInt(1n, 2n ** 63n - 2n),
        fc.bigInt(1n, 2n ** 63n - 2n),
        anyTimestamp,
        (a, b, timestamp) => {
          const [min, max] = a < b ? [a, b] : [b, a]
          expect(includes(TimeRange.between(min, max), timestamp)).toBe(timestamp >= min && timestamp < max)
        },
      ),
    )
  })

  test('of all time admits the extremes', () => {
    const range = TimeRange.between(0n, LATEST_TIMESTAMP)
    expect([-(2n ** 63n), -1n, 0n, LATEST_TIMESTAMP].every((timestamp) => includes(range, timestamp))).toBe(
      true,
    )
  })

  test('is refused when negative or upside down', () => {
    expect(() => TimeRange.between(-1n, 5n)).toThrow(HBaseError)
    expect(() => TimeRange.between(5n, 4n)).toThrow('maxStamp is smaller than minStamp')
  })
})
