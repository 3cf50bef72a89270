/**
 * Tags: bytes that a cell carries behind its KeyValue, which clients do not see. HBase: Tag, TagUtil.
 *
 *     in a cell block:  KeyValue | tagsBytes u16 | tags      both are left out where there are none
 *     tags := (length u16 | type u8 | value)*                length counts type and value
 */

import { EMPTY, writeInt32 } from './bytes.ts'
import { HBaseError } from './errors.ts'
import { millisHigh, millisLow } from './timestamp.ts'

/** HBase: TagType. PERSISTED: never renumber. */
export const TagType = {
  /** The users that may read and write the cell. */
  Acl: 1,
  Visibility: 2,
  /** How the tags of visibility are written. */
  VisibilityFormat: 4,
  /** An expression of visibility as text, which goes from cluster to cluster: the numbers of labels are of one cluster. */
  VisibilityText: 7,
  TimeToLive: 8,
} as const
export type TagType = (typeof TagType)[keyof typeof TagType]

/** Length and type. */
export const TAG_HEADER_BYTES = 3
/** The length of all tags of a cell is an unsigned 16-bit number. HBase: Tag.MAX_TAG_LENGTH, RawCell.MAX_TAGS_LENGTH. */
export const TAGS_BYTES_MAX = 0xffff
const LONG_BYTES = 8

/** Throws ILLEGAL_ARGUMENT for a value that is longer than a tag can state. HBase: ArrayBackedTag. */
export function tag(type: number, value: Buffer): Buffer {
  const length = 1 + value.length
  if (length > TAGS_BYTES_MAX - 2) {
    throw new HBaseError(
      'ILLEGAL_ARGUMENT',
      `Invalid tag data being passed. Its length can not exceed ${TAGS_BYTES_MAX - 3}`,
    )
  }
  const header = Buffer.of(length >>> 8, length, type)
  return Buffer.concat([header, value])
}

export function timeToLiveTag(milliseconds: number): Buffer {
  const value = Buffer.alloc(LONG_BYTES)
  writeInt32(value, 0, millisHigh(milliseconds))
  writeInt32(value, 4, millisLow(milliseconds))
  return tag(TagType.TimeToLive, value)
}

/** Where the tag at `at` ends; 0 where no whole tag is there any more. */
export function tagEnd(buffer: Buffer, at: number, tagsEnd: number): number {
  if (at + TAG_HEADER_BYTES > tagsEnd) return 0
  const end = at + 2 + ((buffer[at]! << 8) | buffer[at + 1]!)
  return end < at + TAG_HEADER_BYTES || end > tagsEnd ? 0 : end
}

/** Whether one of the tags is of the type. For each cell of a scan: it makes no object. */
export function hasTag(buffer: Buffer, tags: number, tagsBytes: number, type: number): boolean {
  const tagsEnd = tags + tagsBytes
  let at = tags
  for (let end = tagEnd(buffer, at, tagsEnd); end !== 0; end = tagEnd(buffer, at, tagsEnd)) {
    if (buffer[at + 2] === type) return true
    at = end
  }
  return false
}

/** Walks tags: after `next()` returned true the fields describe one tag of `buffer`. Tags that are cut off end the walk. */
export class TagCursor {
  readonly buffer: Buffer
  /** Where the tag begins, with its length. */
  start = 0
  end: number
  type = 0
  readonly #end: number

  constructor(buffer: Buffer, tags = 0, tagsBytes: number = buffer.length) {
    this.buffer = buffer
    this.end = tags
    this.#end = tags + tagsBytes
  }

  next(): boolean {
    const { buffer, end: at } = this
    const end = tagEnd(buffer, at, this.#end)
    if (end === 0) return false
    this.start = at
    this.end = end
    this.type = buffer[at + 2]!
    return true
  }

  get value(): Buffer {
    return this.buffer.subarray(this.start + TAG_HEADER_BYTES, this.end)
  }
}

/** The values of the tags of one type, which share the memory of `tags`. */
export function tagValues(tags: Buffer, type: number): Buffer[] {
  const values: Buffer[] = []
  const cursor = new TagCursor(tags)
  while (cursor.next()) if (cursor.type === type) values.push(cursor.value)
  return values
}

/** The types among the tags. */
export function tagTypes(tags: Buffer): ReadonlySet<number> {
  const types = new Set<number>()
  const cursor = new TagCursor(tags)
  while (cursor.next()) types.add(cursor.type)
  return types
}

/** `tags` without those of some types. */
export function withoutTags(tags: Buffer, types: ReadonlySet<number>): Buffer {
  if (tags.length === 0 || types.size === 0) return tags
  const kept: Buffer[] = []
  const cursor = new TagCursor(tags)
  while (cursor.next()) if (!types.has(cursor.type)) kept.push(tags.subarray(cursor.start, cursor.end))
  return Buffer.concat(kept)
}

/** Whether the bytes are whole tags and nothing else. */
export function areTags(tags: Buffer): boolean {
  const cursor = new TagCursor(tags)
  while (cursor.next());
  return cursor.end === tags.length
}

/** Throws ILLEGAL_ARGUMENT for more tags than a cell may have. */
export function checkedTags(tags: Buffer): Buffer {
  if (tags.length <= TAGS_BYTES_MAX) return tags
  throw new HBaseError('ILLEGAL_ARGUMENT', `tagslength ${tags.length} > ${TAGS_BYTES_MAX}`)
}

/**
 * The tags of a mutation's cell. `own`: those that the cell came with; `added`: MutationOptions.tags, which replace tags of their
 * types; a time to live replaces those of its type. Throws ILLEGAL_ARGUMENT for too many.
 */
export function tagsOfMutation(own: Buffer, added: Buffer | undefined, ttlMs: number | undefined): Buffer {
  if (added === undefined && ttlMs === undefined) return own
  const replaced = new Set(added === undefined ? [] : tagTypes(added))
  if (ttlMs !== undefined) replaced.add(TagType.TimeToLive)
  const life = ttlMs === undefined ? EMPTY : timeToLiveTag(ttlMs)
  return checkedTags(Buffer.concat([added ?? EMPTY, withoutTags(own, replaced), life]))
}
