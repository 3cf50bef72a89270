/**
 * OpenTSDB's rows as bytes: a row is an hour of a series. Its key is the metric, the hour, and pairs of a tag's name and value, each
 * as a UID of 3 bytes, in the order of the names' UIDs. A cell is a point: its qualifier says when in the hour, and of which type.
 *
 * Bytes are strings of `latin1` here, a character for each: so the npm package takes them.
 */

export const HOUR_SECONDS = 3600
const UID_BYTES = 3
/** Behind metric and hour. */
const TAGS_START = UID_BYTES + 4

/** Marks a qualifier of 4 bytes. */
const IN_MILLISECONDS = 0xf0000000
/** Of the 4 bits at a qualifier's end: whether the value is a float. The others are its length, less one. */
const FLOAT = 0b1000
const LENGTH = 0b0111

export interface RowKey {
  readonly metric: string
  /** Seconds since 1970. */
  readonly hour: number
  /** Pairs of the UIDs of a tag's name and value. */
  readonly tags: readonly (readonly [name: string, value: string])[]
}

export function encodeRowKey({ metric, hour, tags }: RowKey): string {
  const inOrder = tags.map(([name, value]) => name + value).sort()
  return metric + uint32(hour) + inOrder.join('')
}

export function decodeRowKey(key: string): RowKey {
  const tags: [string, string][] = []
  for (let at = TAGS_START; at < key.length; at += 2 * UID_BYTES) {
    tags.push([key.slice(at, at + UID_BYTES), key.slice(at + UID_BYTES, at + 2 * UID_BYTES)])
  }
  const hour = Buffer.from(key, 'latin1').readUInt32BE(UID_BYTES)
  return { metric: key.slice(0, UID_BYTES), hour, tags }
}

export interface Point {
  /** Milliseconds since 1970. */
  readonly time: number
  readonly value: number
}

/** A point of a whole number: 2 bytes of qualifier for whole seconds, 4 for others; the fewest bytes of value. */
export function encodePoint({ time, value }: Point): { hour: number; qualifier: string; value: string } {
  const hour = time - (time % (HOUR_SECONDS * 1000))
  const bytes = wholeNumber(value)
  const flags = bytes.length - 1
  const offset = time - hour
  const qualifier =
    offset % 1000 === 0
      ? uint32(((offset / 1000) << 4) | flags).slice(2)
      : uint32((IN_MILLISECONDS | (offset << 6) | flags) >>> 0)
  return { hour: hour / 1000, qualifier, value: bytes }
}

export function decodePoint(hour: number, qualifier: string, value: string): Point {
  const bytes = Buffer.from(qualifier, 'latin1')
  const isInSeconds = bytes.length === 2
  const bits = isInSeconds ? bytes.readUInt16BE() : bytes.readUInt32BE() - IN_MILLISECONDS
  const offset = isInSeconds ? (bits >> 4) * 1000 : bits >> 6
  return { time: hour * 1000 + offset, value: decodeValue(bits & (FLOAT | LENGTH), value) }
}

function decodeValue(flags: number, text: string): number {
  const bytes = Buffer.from(text, 'latin1')
  const length = (flags & LENGTH) + 1
  if ((flags & FLOAT) !== 0) return length === 4 ? bytes.readFloatBE() : bytes.readDoubleBE()
  return length === 8 ? Number(bytes.readBigInt64BE()) : bytes.readIntBE(0, length)
}

function wholeNumber(value: number): string {
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64BE(BigInt(value))
  const length = [1, 2, 4].find((length) => bytes.readIntBE(8 - length, length) === value) ?? 8
  return bytes.subarray(8 - length).toString('latin1')
}

export function uint32(number: number): string {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(number)
  return bytes.toString('latin1')
}

export function hex(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('hex')
}
