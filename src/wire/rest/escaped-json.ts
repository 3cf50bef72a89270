/** Bytes as the inside of a JSON string of their escaped text (wire/text/escaped-text.ts). */

import { shownLength } from '../text/escaped-text.ts'
import type { OutputBuffer } from './output-buffer.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const LOWER_X = 0x78
const HEX = Buffer.from('0123456789ABCDEF', 'latin1')

/** Room is reserved for so many bytes at a time, since a byte may become five. */
const STEP_BYTES = 4096
/** `\\xHH` */
const BYTES_PER_BYTE_MAX = 5
/** A step may end within a character. */
const CHARACTER_BYTES_MAX = 4

/** Appends the text of source[start, start + length); true where a byte had to be escaped. */
export function writeEscapedJson(out: OutputBuffer, source: Buffer, start: number, length: number): boolean {
  const end = start + length
  let hasEscape = false
  for (let at = start; at < end; ) {
    const stop = Math.min(end, at + STEP_BYTES)
    let to = out.reserve((stop - at) * BYTES_PER_BYTE_MAX + CHARACTER_BYTES_MAX)
    const target = out.buffer
    while (at < stop) {
      const byte = source[at]!
      if (isPlain(byte)) {
        target[to++] = byte
        at++
        continue
      }
      const shown = shownLength(source, at, end)
      if (shown === 0) {
        hasEscape = true
        to = putEscape(target, to, byte)
        at++
        continue
      }
      if (byte === QUOTE) target[to++] = BACKSLASH
      for (const character = at + shown; at < character; at++) target[to++] = source[at]!
    }
    out.length = to
  }
  return hasEscape
}

/** ASCII that stands as it is in an escaped text and in JSON: nearly all bytes of most answers. */
function isPlain(byte: number): boolean {
  return byte >= 0x20 && byte < 0x7f && byte !== QUOTE && byte !== BACKSLASH
}

function putEscape(target: Buffer, at: number, byte: number): number {
  target[at] = BACKSLASH
  target[at + 1] = BACKSLASH
  target[at + 2] = LOWER_X
  target[at + 3] = HEX[byte >>> 4]!
  target[at + 4] = HEX[byte & 15]!
  return at + BYTES_PER_BYTE_MAX
}
