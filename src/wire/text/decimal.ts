/** Decimal digits of 64-bit timestamps, written without a string where a double holds the timestamp exactly. */

import { timestampText } from '../../model/timestamp.ts'

/** The length of Long.MIN_VALUE, the longest. */
export const TIMESTAMP_DIGITS_MAX = 20

const ZERO = 0x30
const TEN_MILLION = 10_000_000

/** The two digits of each number below 100, one behind the other. */
const PAIRS: Buffer = Buffer.from(
  Array.from({ length: 100 }, (_, i) => String(i).padStart(2, '0')).join(''),
  'latin1',
)

/** Writes `value`, an int32 of 0 or more, with at least `digits` digits; returns the offset after it. */
function writeDigits(target: Buffer, at: number, value: number, digits: number): number {
  let count = 1
  for (let bound = 10; value >= bound && count < 10; bound *= 10) count++
  const end = at + Math.max(count, digits)
  let rest = value
  let i = end - 2
  for (; i >= at; i -= 2) {
    const hundredth = (rest / 100) | 0
    const pair = 2 * (rest - hundredth * 100)
    target[i] = PAIRS[pair]!
    target[i + 1] = PAIRS[pair + 1]!
    rest = hundredth
  }
  if (i === at - 1) target[at] = ZERO + rest
  return end
}

/** Returns the offset after the digits; `target` must have TIMESTAMP_DIGITS_MAX bytes of room. */
export function writeTimestampText(target: Buffer, at: number, high: number, low: number): number {
  if (high < 0 || high >= 0x200000) return at + target.write(timestampText(high, low), at, 'latin1')
  const value = high * 0x1_0000_0000 + (low >>> 0)
  if (value < TEN_MILLION) return writeDigits(target, at, value, 1)
  const upper = Math.floor(value / TEN_MILLION)
  const middle = upper < TEN_MILLION ? upper : upper % TEN_MILLION
  let end = at
  if (upper >= TEN_MILLION) {
    end = writeDigits(target, end, Math.floor(upper / TEN_MILLION), 1)
    end = writeDigits(target, end, middle, 7)
  } else {
    end = writeDigits(target, end, middle, 1)
  }
  return writeDigits(target, end, value - upper * TEN_MILLION, 7)
}
