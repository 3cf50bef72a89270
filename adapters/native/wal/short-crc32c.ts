/**
 * CRC32C of the records of a log. Most are of a few hundred bytes at most, of which the call of native code, and the object for their bytes, take
 * twice as long as the sum in place.
 */

import { crc32c } from '@node-rs/crc32'

/** From here on native code is faster. */
const SHORT_BYTES = 256
/** The polynomial, its bits reversed. */
const POLYNOMIAL = 0x82f63b78
const STEP = 8

/** Sums of each byte with 0 to 7 zero bytes behind it, from the one with the most. */
const SUMS: Int32Array = sums()

function sums(): Int32Array {
  const made = new Int32Array(STEP * 256)
  const last = (STEP - 1) * 256
  for (let byte = 0; byte < 256; byte++) {
    let sum = byte
    for (let bit = 0; bit < 8; bit++) sum = (sum & 1) === 0 ? sum >>> 1 : (sum >>> 1) ^ POLYNOMIAL
    made[last + byte] = sum
  }
  for (let at = last - 1; at >= 0; at--) {
    const before = made[at + 256]!
    made[at] = made[last + (before & 0xff)]! ^ (before >>> 8)
  }
  return made
}

/** CRC32C of bytes[from..end), as an unsigned number. */
export function crc32cOf(bytes: Buffer, from: number, end: number): number {
  if (end - from > SHORT_BYTES) return crc32c(bytes.subarray(from, end))
  const table = SUMS
  let sum = -1
  let at = from
  for (; at + STEP <= end; at += STEP) {
    const word = sum ^ (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24))
    sum =
      table[word & 0xff]! ^
      table[256 + ((word >>> 8) & 0xff)]! ^
      table[512 + ((word >>> 16) & 0xff)]! ^
      table[768 + (word >>> 24)]! ^
      table[1024 + bytes[at + 4]!]! ^
      table[1280 + bytes[at + 5]!]! ^
      table[1536 + bytes[at + 6]!]! ^
      table[1792 + bytes[at + 7]!]!
  }
  for (; at < end; at++) sum = table[1792 + ((sum ^ bytes[at]!) & 0xff)]! ^ (sum >>> 8)
  return ~sum >>> 0
}
