import { readInt32 } from '../../../src/model/bytes.ts'
import { TagType } from '../../../src/model/cell-tags.ts'
import { compareTimestamps, millisHigh, millisLow } from '../../../src/model/timestamp.ts'

/**
 * True if the cell's life ended before `now`. The first tag of that type counts: milliseconds from the cell's timestamp.
 * The caller checks the family's TTL: the shorter of the two holds.
 */
export function isCellExpired(
  buffer: Buffer,
  tags: number,
  tagsBytes: number,
  timestamp: number,
  now: number,
): boolean {
  const end = tags + tagsBytes
  for (let tag = tags; tag + 3 <= end; ) {
    const length = (buffer[tag]! << 8) | buffer[tag + 1]!
    if (buffer[tag + 2] === TagType.TimeToLive && length === 9) {
      const life = tag + 3
      const low = (readInt32(buffer, timestamp + 4) >>> 0) + (readInt32(buffer, life + 4) >>> 0)
      const carry = low > 0xffff_ffff ? 1 : 0
      const high = (readInt32(buffer, timestamp) + readInt32(buffer, life) + carry) | 0
      return compareTimestamps(high, low | 0, millisHigh(now), millisLow(now)) < 0
    }
    tag += 2 + length
  }
  return false
}
