/**
 * Bytes as text for people, as HBase's Bytes.toStringBinary with UTF-8 left readable. Bytes that are a character of
 * well-formed UTF-8 stand as that character, all others as `\xHH`. A backslash is `\x5C`, so that every text has one
 * reading and every string of bytes exactly one text. Characters that are invisible or look alike are escaped too.
 */

import { HBaseError } from '../../model/errors.ts'

const BACKSLASH = 0x5c
const LOWER_X = 0x78
/** The characters of `\xHH`. */
const ESCAPE_LENGTH = 4

/** Ranges of characters that a reader cannot see: first and last. Fixed, so that no version of Unicode changes a text. */
const HIDDEN: readonly (readonly [first: number, last: number])[] = [
  [0x80, 0x9f], // control characters
  [0xad, 0xad], // soft hyphen
  [0x200b, 0x200b], // zero width space
  [0x200e, 0x200f], // marks of writing direction
  [0x2028, 0x202e], // separators of lines and paragraphs, embeddings of writing direction
  [0x2060, 0x206f], // word joiner, invisible operators, isolates of writing direction
  [0xfdd0, 0xfdef], // not characters
  [0xfeff, 0xfeff], // byte order mark
  [0xfff0, 0xffff], // among them U+FFFD: printed as itself it would not show which program lost the bytes
]

/** The bytes of the character at `at` that stands as itself in a text; 0: the byte must be escaped. */
export function shownLength(bytes: Buffer, at: number, end: number): number {
  const first = bytes[at]!
  if (first < 0x80) return first >= 0x20 && first < 0x7f && first !== BACKSLASH ? 1 : 0
  if (first < 0xc2 || first > 0xf4) return 0
  const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
  if (at + length > end) return 0
  let point = first & (0x7f >> length)
  for (let i = 1; i < length; i++) {
    const next = bytes[at + i]!
    if ((next & 0xc0) !== 0x80) return 0
    point = (point << 6) | (next & 0x3f)
  }
  return isCharacter(point, length) && !isHidden(point) ? length : 0
}

/** False for a surrogate, for a character that fewer bytes would encode, and beyond Unicode's last. */
function isCharacter(point: number, bytes: number): boolean {
  if (bytes === 3) return point >= 0x800 && (point < 0xd800 || point > 0xdfff)
  return bytes === 2 || (point >= 0x10000 && point <= 0x10ffff)
}

function isHidden(point: number): boolean {
  if (point > 0xffff) return (point & 0xfffe) === 0xfffe
  return HIDDEN.some(([first, last]) => point >= first && point <= last)
}

/** The text of bytes. For single names; rows are written by wire/rest/escaped-json.ts, straight into the answer. */
export function escapedText(bytes: Buffer): string {
  let text = ''
  /** Where the characters begin that are not in the text yet. */
  let from = 0
  for (let at = 0; at < bytes.length; ) {
    const shown = shownLength(bytes, at, bytes.length)
    if (shown > 0) {
      at += shown
      continue
    }
    text += `${bytes.toString('utf8', from, at)}\\x${bytes.toString('hex', at, at + 1).toUpperCase()}`
    from = ++at
  }
  return text + bytes.toString('utf8', from)
}

/** The bytes of a text, which must not have lone surrogates. Throws ILLEGAL_ARGUMENT. */
export function unescapedText(text: string): Buffer {
  const bytes = Buffer.from(text)
  return bytes.subarray(0, unescape(bytes, 0, bytes.length, bytes, 0))
}

/**
 * Writes the bytes of the text source[start, end) at target[at], which may be the text's own place; returns the offset
 * after them. Throws ILLEGAL_ARGUMENT for a backslash that begins no escape.
 */
export function unescape(source: Buffer, start: number, end: number, target: Buffer, at: number): number {
  let to = at
  for (let from = start; from < end; ) {
    const byte = source[from]!
    if (byte !== BACKSLASH) {
      target[to++] = byte
      from++
      continue
    }
    const value =
      from + ESCAPE_LENGTH <= end && source[from + 1] === LOWER_X
        ? hexDigit(source[from + 2]!) * 16 + hexDigit(source[from + 3]!)
        : Number.NaN
    if (Number.isNaN(value)) throw unknownEscape(source.toString('utf8', start, end))
    target[to++] = value
    from += ESCAPE_LENGTH
  }
  return to
}

function unknownEscape(text: string): HBaseError {
  return new HBaseError(
    'ILLEGAL_ARGUMENT',
    `"${text.slice(0, 40)}": a backslash begins a byte, as \\x0A; write \\x5C for a backslash (in JSON, "\\\\x5C")`,
  )
}

/** NaN where the byte is no hexadecimal digit. */
function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const letter = byte | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : Number.NaN
}
