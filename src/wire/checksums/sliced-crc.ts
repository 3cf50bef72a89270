/** Cyclic redundancy checks of 32 bits in plain JavaScript, eight bytes a step. It runs everywhere; native code is several times as fast. */

/** CRC-32 as of gzip and zlib, its bits reversed. */
export const CRC32_POLYNOMIAL = 0xedb88320
/** CRC-32C (Castagnoli), its bits reversed. */
export const CRC32C_POLYNOMIAL = 0x82f63b78

const STEP = 8

/** Sums of each byte with 0 to 7 zero bytes behind it, from the one with the most. `polynomial`: its bits reversed. */
export function crcTable(polynomial: number): Int32Array {
  const made = new Int32Array(STEP * 256)
  const last = (STEP - 1) * 256
  for (let byte = 0; byte < 256; byte++) {
    let sum = byte
    for (let bit = 0; bit < 8; bit++) sum = (sum & 1) === 0 ? sum >>> 1 : (sum >>> 1) ^ polynomial
    made[last + byte] = sum
  }
  for (let at = last - 1; at >= 0; at--) {
    const before = made[at + 256]!
    made[at] = made[last + (before & 0xff)]! ^ (before >>> 8)
  }
  return made
}

/** The sum of bytes[from..end) as an unsigned number. `before`: the sum of the bytes before them, 0 where there are none. */
export function slicedCrc(
  table: Int32Array,
  bytes: Uint8Array,
  from: number,
  end: number,
  before: number,
): number {
  let sum = ~before
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
