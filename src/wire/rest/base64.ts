/**
 * Base64 from and to Buffers without strings. Encoding goes through a table of all 12-bit groups: three bytes are two
 * look-ups. Decoding comes in the two manners of HBase's REST server: Jackson's for JSON, which is strict, and JAXB's
 * for XML, which passes over whatever is not base64.
 */

import type { OutputBuffer } from './output-buffer.ts'

const ALPHABET = Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/', 'latin1')
const PAD = 0x3d

/** For each 12-bit group its two characters, the first in the high byte. */
const PAIRS: Uint16Array = new Uint16Array(4096)
for (let group = 0; group < 4096; group++) {
  PAIRS[group] = (ALPHABET[group >>> 6]! << 8) | ALPHABET[group & 63]!
}

const INVALID = 0xff
/** JAXB's value of '='. */
const PADDING = 127

const VALUES: Uint8Array = new Uint8Array(256).fill(INVALID)
for (let value = 0; value < 64; value++) VALUES[ALPHABET[value]!] = value

export function base64Length(bytes: number): number {
  return Math.ceil(bytes / 3) * 4
}

/** Writes the base64 of source[start, start + length) at an offset that was reserved; returns the offset after it. */
export function writeBase64(
  source: Buffer,
  start: number,
  length: number,
  out: OutputBuffer,
  at: number,
): number {
  const { view } = out
  const end = start + length
  const wholeEnd = end - (length % 3)
  let from = start
  while (from < wholeEnd) {
    const group = (source[from]! << 16) | (source[from + 1]! << 8) | source[from + 2]!
    view.setInt32(at, (PAIRS[group >>> 12]! << 16) | PAIRS[group & 0xfff]!)
    from += 3
    at += 4
  }
  if (from === end) return at
  const second = end - from === 2 ? source[from + 1]! : 0
  const third = end - from === 2 ? ALPHABET[(second & 15) << 2]! : PAD
  view.setInt32(at, (PAIRS[(source[from]! << 4) | (second >>> 4)]! << 16) | (third << 8) | PAD)
  return at + 4
}

/**
 * Decodes source[start, end) to target[at]. Returns the offset after the bytes, or -1 where the text is not padded
 * base64 without anything else in it. HBase: Jackson's MIME_NO_LINEFEEDS variant.
 */
export function readBase64(source: Buffer, start: number, end: number, target: Buffer, at: number): number {
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

/** As readLenientBase64, to a Buffer of its own. */
export function decodeLenientBase64(text: string): Buffer {
  const bytes = Buffer.allocUnsafe(lenientBase64BytesMax(text.length))
  return bytes.subarray(0, readLenientBase64(text, bytes, 0))
}

/** What readLenientBase64 may write for so many characters. */
export function lenientBase64BytesMax(characters: number): number {
  return Math.ceil(characters / 4) * 3
}

/**
 * Base64 as JAXB reads it: other characters are passed over, and so are up to three at the end that make no group.
 * Decodes to target[at], where there must be room; returns the offset after the bytes.
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

/** The rest, from where padding or what is no base64 appears. */
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
