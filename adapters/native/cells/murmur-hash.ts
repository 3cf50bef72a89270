/**
 * MurmurHash2 as HBase's MurmurHash computes it over Java's signed bytes: unlike the original, it sign-extends the up to
 * three bytes after the last whole word.
 */

const M = 0x5bd1e995

/** PERSISTED: never renumber. Hash.MURMUR_HASH, hbase.hash.type's default. */
export const MURMUR_HASH = 1

export function murmurHash(source: Buffer, offset: number, length: number, seed: number): number {
  let h = seed ^ length
  const words = offset + (length & ~3)
  let at = offset
  for (; at < words; at += 4) {
    let k = source[at]! | (source[at + 1]! << 8) | (source[at + 2]! << 16) | (source[at + 3]! << 24)
    k = Math.imul(k, M)
    k ^= k >>> 24
    h = Math.imul(h, M) ^ Math.imul(k, M)
  }
  const rest = length & 3
  if (rest !== 0) {
    if (rest === 3) h ^= signed(source[at + 2]!) << 16
    if (rest >= 2) h ^= signed(source[at + 1]!) << 8
    h ^= signed(source[at]!)
    h = Math.imul(h, M)
  }
  h ^= h >>> 13
  h = Math.imul(h, M)
  return h ^ (h >>> 15)
}

function signed(byte: number): number {
  return (byte << 24) >> 24
}
