import type { Decoder } from './charset.ts'

const REPLACEMENT = 0xfffd

/** The characters of bytes of an alphabet of 256 characters: `units[byte]`. A loop over a string would take ten times as long. */
export function tableDecoder(units: Uint16Array): Decoder {
  return (bytes, start, end) => {
    const text = new Uint16Array(end - start)
    for (let at = start; at < end; at++) text[at - start] = units[bytes[at]!]!
    return textOf(text, text.length)
  }
}

export const decodeAscii: Decoder = tableDecoder(
  Uint16Array.from({ length: 256 }, (_, byte) => (byte < 0x80 ? byte : REPLACEMENT)),
)

/** Reads the mark of the byte order, if there is one; `defaultOrder` is Java's order without it. */
export function utf16Decoder(defaultOrder: 'big' | 'little'): Decoder {
  return (bytes, start, end) => {
    const mark = end - start < 2 ? 0 : bytes.readUInt16BE(start)
    if (mark === 0xfeff) return decodeUtf16Big(bytes, start + 2, end)
    if (mark === 0xfffe) return decodeUtf16Little(bytes, start + 2, end)
    return defaultOrder === 'big' ? decodeUtf16Big(bytes, start, end) : decodeUtf16Little(bytes, start, end)
  }
}

export const decodeUtf16Big: Decoder = (bytes, start, end) => decodeUtf16(bytes, start, end, 0)
export const decodeUtf16Little: Decoder = (bytes, start, end) => decodeUtf16(bytes, start, end, 1)

/** `high`: which byte of a unit is the more significant one. */
function decodeUtf16(bytes: Buffer, start: number, end: number, high: 0 | 1): string {
  const text = new Uint16Array((end - start + 1) >> 1)
  let length = 0
  let at = start
  for (; at + 1 < end; at += 2) {
    const unit = (bytes[at + high]! << 8) | bytes[at + 1 - high]!
    if (unit < 0xd800 || unit > 0xdfff) {
      text[length++] = unit
    } else if (unit > 0xdbff) {
      text[length++] = REPLACEMENT
    } else {
      // A high surrogate takes the unit after it along, of each kind.
      at += 2
      if (at + 1 >= end) {
        text[length++] = REPLACEMENT
        return textOf(text, length)
      }
      const low = (bytes[at + high]! << 8) | bytes[at + 1 - high]!
      if (low < 0xdc00 || low > 0xdfff) text[length++] = REPLACEMENT
      else {
        text[length++] = unit
        text[length++] = low
      }
    }
  }
  if (at < end) text[length++] = REPLACEMENT
  return textOf(text, length)
}

/** Big-endian where no mark says else. */
export const decodeUtf32: Decoder = (bytes, start, end) => {
  const mark = end - start < 4 ? 0 : bytes.readUInt32BE(start)
  if (mark === 0xfffe0000) return decodeUtf32Little(bytes, start + 4, end)
  return decodeUtf32Big(bytes, mark === 0xfeff ? start + 4 : start, end)
}

export const decodeUtf32Big: Decoder = (bytes, start, end) =>
  decodeUtf32Units(start, end, (at) => bytes.readUInt32BE(at))
export const decodeUtf32Little: Decoder = (bytes, start, end) =>
  decodeUtf32Units(start, end, (at) => bytes.readUInt32LE(at))

function decodeUtf32Units(start: number, end: number, codePointAt: (at: number) => number): string {
  const text = new Uint16Array(((end - start + 3) >> 2) * 2)
  let length = 0
  let at = start
  for (; at + 3 < end; at += 4) {
    const codePoint = codePointAt(at)
    if (codePoint > 0x10ffff) text[length++] = REPLACEMENT
    else if (codePoint > 0xffff) {
      text[length++] = 0xd7c0 + (codePoint >> 10)
      text[length++] = 0xdc00 | (codePoint & 0x3ff)
    } else text[length++] = codePoint
  }
  if (at < end) text[length++] = REPLACEMENT
  return textOf(text, length)
}

function textOf(units: Uint16Array, length: number): string {
  return Buffer.from(units.buffer, 0, length * 2).toString('utf16le')
}
