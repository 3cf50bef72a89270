/**
 * Bytes as text from which the same bytes come back. UTF-8 is itself. A byte that is no part of UTF-8 is a character of Unicode's last
 * private plane: U+FFFD in its place would lose the byte. Characters of that part of the plane are taken apart into bytes themselves. So no
 * text stands for two sequences of bytes.
 */

/** U+10FF00 to U+10FFFF stand for the bytes 0 to 255. */
const FIRST = 0x10ff00
const STANDING = /[\u{10ff00}-\u{10ffff}]/u
const NOT_UTF8 = '\ufffd'

export function losslessText(bytes: Buffer): string {
  const text = bytes.toString()
  // Nearly all bytes are UTF-8, which the decoder has then not changed.
  if (!text.includes(NOT_UTF8) && !STANDING.test(text)) return text
  let result = ''
  for (let at = 0; at < bytes.length; ) {
    const length = characterLength(bytes, at)
    result +=
      length === 0 ? String.fromCodePoint(FIRST + bytes[at]!) : bytes.toString('utf8', at, at + length)
    at += Math.max(1, length)
  }
  return result
}

export function losslessBytes(text: string): Buffer {
  if (!STANDING.test(text)) return Buffer.from(text)
  const parts = Array.from(text, (character) => {
    const code = character.codePointAt(0)!
    return code >= FIRST ? Buffer.of(code - FIRST) : Buffer.from(character)
  })
  return Buffer.concat(parts)
}

/** The bytes of the character that begins there; 0 where none does, or one that stands for a byte. */
function characterLength(bytes: Buffer, at: number): number {
  for (let length = 1; length <= 4 && at + length <= bytes.length; length++) {
    const character = bytes.toString('utf8', at, at + length)
    const isWhole = Buffer.from(character).equals(bytes.subarray(at, at + length))
    if (isWhole) return STANDING.test(character) ? 0 : length
  }
  return 0
}
