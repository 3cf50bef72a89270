/**
 * Base64 from and to Buffers without strings. Encoding goes through a table of all 12-bit groups: three bytes are two
 * look-ups. HBase's REST server decodes in two ways: Jackson's for JSON, which is strict, and JAXB's for XML, which skips
 * all characters that are not base64.
 */

import { HBaseError } from '../../model/errors.ts'

const ALPHABET = Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/', 'latin1')
const PAD = 0x3d

/** The two characters of each 12-bit group, the first in the high byte. */
const PAIRS: Uint16Array = new Uint16Array(4096)
for (let group = 0; group < 4096; group++) {
  PAIRS[group] = (ALPHABET[group >>> 6]! << 8) | ALPHABET[group & 63]!
}

const INVALID = 0xff
/** JAXB's value of '='. */
const PADDING = 127

const VALUES: Uint8Array = new Uint8Array(256).fill(INVALID)
for (let value = 0; value < 64; value++) VALUES[ALPHABET[value]!] = value

/** The values of a group's four characters in their places among its 24 bits; negative for a character that is not base64. */
const FIRST: Int32Array = Int32Array.from(VALUES, (value) => (value === INVALID ? -1 : value << 18))
const SECOND: Int32Array = Int32Array.from(VALUES, (value) => (value === INVALID ? -1 : value << 12))
const THIRD: Int32Array = Int32Array.from(VALUES, (value) => (value === INVALID ? -1 : value << 6))
const FOURTH: Int32Array = Int32Array.from(VALUES, (value) => (value === INVALID ? -1 : value))

/** The 24 bits of the group that begins at an offset; negative where one of its characters is not base64. */
export function groupBits(source: Buffer, from: number): number {
  return (
    FIRST[source[from]!]! |
    SECOND[source[from + 1]!]! |
    THIRD[source[from + 2]!]! |
    FOURTH[source[from + 3]!]!
  )
}

/** As groupBits, of a group whose last character, or last two, are padding. */
export function paddedBits(source: Buffer, from: number, characters: 2 | 3): number {
  const bits = FIRST[source[from]!]! | SECOND[source[from + 1]!]!
  return characters === 2 ? bits : bits | THIRD[source[from + 2]!]!
}

export function base64Length(bytes: number): number {
  return Math.ceil(bytes / 3) * 4
}

/**
 * Writes the base64 of the bytes [start, start + length) of a source at an offset of a target where there is room; returns the offset after it.
 * Six bytes a step, by words: half the time of three by bytes.
 */
export function writeBase64(
  source: DataView,
  start: number,
  length: number,
  target: DataView,
  at: number,
): number {
  const end = start + length
  const rest = length % 3
  // A word has one byte more than it is read for.
  const wordsEnd = Math.min(end, source.byteLength - 1) - 5
  let from = start
  for (; from < wordsEnd; from += 6) {
    const first = source.getInt32(from) >>> 8
    const second = source.getInt32(from + 3) >>> 8
    target.setInt32(at, (PAIRS[first >>> 12]! << 16) | PAIRS[first & 0xfff]!)
    target.setInt32(at + 4, (PAIRS[second >>> 12]! << 16) | PAIRS[second & 0xfff]!)
    at += 8
  }
  for (; from < end - rest; from += 3) {
    const group = (source.getUint16(from) << 8) | source.getUint8(from + 2)
    target.setInt32(at, (PAIRS[group >>> 12]! << 16) | PAIRS[group & 0xfff]!)
    at += 4
  }
  if (rest === 0) return at
  const first = source.getUint8(from)
  const second = rest === 2 ? source.getUint8(from + 1) : 0
  const third = rest === 2 ? ALPHABET[(second & 15) << 2]! : PAD
  target.setInt32(at, (PAIRS[(first << 4) | (second >>> 4)]! << 16) | (third << 8) | PAD)
  return at + 4
}

/**
 * Decodes source[start, end) to target[at]. Returns the offset after the bytes, or -1 for text that Jackson refuses, of
 * its Base64Variants.MIME_NO_LINEFEEDS.
 */
export function readBase64(source: Buffer, start: number, end: number, target: Buffer, at: number): number {
  const done = readPlainBase64(source, start, end, target, at)
  return done < 0 ? readSpacedBase64(source, start, end, target, at) : done
}

/**
 * QUIRK rest-body-json-odd-escaped-line-feed-in-base64: Jackson passes over white space before a group of four, and reads
 * on behind padding.
 */
function readSpacedBase64(source: Buffer, start: number, end: number, target: Buffer, at: number): number {
  for (let from = start; ; from += 4) {
    while (from < end && source[from]! <= 0x20) from++
    if (from === end) return at
    if (end - from < 4) return -1
    const a = VALUES[source[from]!]!
    const b = VALUES[source[from + 1]!]!
    if ((a | b) > 63) return -1
    target[at++] = (a << 2) | (b >>> 4)
    if (source[from + 2] === PAD && source[from + 3] === PAD) continue
    const c = VALUES[source[from + 2]!]!
    if (c > 63) return -1
    target[at++] = (b << 4) | (c >>> 2)
    if (source[from + 3] === PAD) continue
    const d = VALUES[source[from + 3]!]!
    if (d > 63) return -1
    target[at++] = (c << 6) | d
  }
}

/** As readBase64, of text without white space, padded at its end only. */
function readPlainBase64(source: Buffer, start: number, end: number, target: Buffer, at: number): number {
  if (((end - start) & 3) !== 0) return -1
  let last = end
  if (last > start && source[last - 1] === PAD) last--
  if (last > start && last < end && source[last - 1] === PAD) last--
  const wholeEnd = last - ((last - start) & 3)
  let from = start
  while (from < wholeEnd) {
    const a = VALUES[source[from]!]!
    const b = VALUES[source[from + 1]!]!
    const c = VALUES[source[from + 2]!]!
    const d = VALUES[source[from + 3]!]!
    if ((a | b | c | d) > 63) return -1
    target[at] = (a << 2) | (b >>> 4)
    target[at + 1] = (b << 4) | (c >>> 2)
    target[at + 2] = (c << 6) | d
    at += 3
    from += 4
  }
  const rest = last - from
  if (rest === 0) return at
  const a = VALUES[source[from]!]!
  const b = VALUES[source[from + 1]!]!
  const c = rest === 3 ? VALUES[source[from + 2]!]! : 0
  if ((a | b | c) > 63) return -1
  target[at++] = (a << 2) | (b >>> 4)
  if (rest === 3) target[at++] = (b << 4) | (c >>> 2)
  return at
}

/**
 * The bytes of an attribute. Throws ILLEGAL_ARGUMENT for characters beyond ASCII.
 * QUIRK rest-body-xml-set-key-no-ascii: JAXB's table of characters ends at 127, and what lies beyond is a 500.
 */
export function attributeBytes(text: string): Buffer {
  checkAttribute(text)
  return decodeLenientBase64(text)
}

export function checkAttribute(text: string): void {
  if (!isAscii(text)) throw new HBaseError('ILLEGAL_ARGUMENT', `"${text.slice(0, 40)}" is not base64`)
}

export function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x7f) return false
  return true
}

/** As readLenientBase64, into a new Buffer. */
export function decodeLenientBase64(text: string): Buffer {
  const bytes = Buffer.allocUnsafe(lenientBase64BytesMax(text.length))
  return bytes.subarray(0, readLenientBase64(text, bytes, 0))
}

/** The most bytes that readLenientBase64 writes for so many characters. */
export function lenientBase64BytesMax(characters: number): number {
  return Math.ceil(characters / 4) * 3
}

/**
 * Decodes base64 to target[at], where there must be room; returns the offset after the bytes.
 * QUIRK rest-write-xml-cell-timestamp-23-bang-bang-105f4b: JAXB skips other characters, and the end if it fills no group.
 */
export function readLenientBase64(text: string, target: Buffer, at: number): number {
  let from = 0
  for (; from + 4 <= text.length; from += 4) {
    const a = valueAt(text, from)
    const b = valueAt(text, from + 1)
    const c = valueAt(text, from + 2)
    const d = valueAt(text, from + 3)
    if ((a | b | c | d) > 63) break
    target[at] = (a << 2) | (b >>> 4)
    target[at + 1] = (b << 4) | (c >>> 2)
    target[at + 2] = (c << 6) | d
    at += 3
  }
  return from === text.length ? at : readGroups(text, from, target, at)
}

function valueAt(text: string, index: number): number {
  const code = text.charCodeAt(index)
  return code < 256 ? VALUES[code]! : INVALID
}

/** Decodes the rest, from the first padding or other character. */
function readGroups(text: string, from: number, target: Buffer, at: number): number {
  const group: [number, number, number, number] = [0, 0, 0, 0]
  let filled = 0
  for (let i = from; i < text.length; i++) {
    const value = text.charCodeAt(i) === PAD ? PADDING : valueAt(text, i)
    if (value === INVALID) continue
    group[filled++] = value
    if (filled < 4) continue
    filled = 0
    const [a, b, c, d] = group
    target[at++] = (a << 2) | (b >>> 4)
    if (c !== PADDING) target[at++] = (b << 4) | (c >>> 2)
    if (d !== PADDING) target[at++] = (c << 6) | d
  }
  return at
}
