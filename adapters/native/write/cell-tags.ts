/** The only tag that the engine writes: the one that limits a cell's life. HBase: TagType.TTL_TAG_TYPE. */

import { writeInt32 } from '../../../src/model/bytes.ts'
import { CELL_PREFIX_BYTES, type CellBlockBuilder } from '../../../src/model/cell-block.ts'
import { millisHigh, millisLow } from '../../../src/model/timestamp.ts'
import { TTL_TAG_TYPE } from '../read/cell-time-to-live.ts'

const TTL_VALUE_BYTES = 8
/** The tag's length, its type and its value. */
const TTL_TAG_BYTES: number = 2 + 1 + TTL_VALUE_BYTES

/** `length u16 | type u8 | milliseconds i64`. */
export function timeToLiveTag(milliseconds: number): Buffer {
  const tag = Buffer.alloc(TTL_TAG_BYTES)
  tag[1] = 1 + TTL_VALUE_BYTES
  tag[2] = TTL_TAG_TYPE
  writeInt32(tag, 3, millisHigh(milliseconds))
  writeInt32(tag, 7, millisLow(milliseconds))
  return tag
}

/** `tags` without the tags that limit a cell's life. */
export function withoutTimeToLive(tags: Buffer): Buffer {
  const kept: Buffer[] = []
  for (let at = 0; at + 3 <= tags.length; ) {
    const end = at + 2 + ((tags[at]! << 8) | tags[at + 1]!)
    if (tags[at + 2] !== TTL_TAG_TYPE) kept.push(tags.subarray(at, end))
    at = end
  }
  return Buffer.concat(kept)
}

/** Puts tags behind the cell that was appended last, whose length prefix is at `prefix`. */
export function appendTags(target: CellBlockBuilder, prefix: number, tags: Buffer): void {
  if (tags.length === 0) return
  const at = target.reserve(2 + tags.length)
  target.buffer[at] = tags.length >>> 8
  target.buffer[at + 1] = tags.length
  tags.copy(target.buffer, at + 2)
  target.length = at + 2 + tags.length
  writeInt32(target.buffer, prefix, target.length - prefix - CELL_PREFIX_BYTES)
}
