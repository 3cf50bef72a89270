import type { Decoder } from './charset.ts'

const REPLACEMENT = '\ufffd'

export const decodeAscii: Decoder = (bytes, start, end) =>
  bytes.toString('latin1', start, end).replace(/[\x80-\xff]/g, REPLACEMENT)

/** Reads the mark of the byte order, if there is one; `defaultOrder` is Java's order without it. */
export function utf16Decoder(defaultOrder: 'big' | 'little'): Decoder {
  return (bytes, start, end) => {
    const mark = end - start < 2 ? 0 : bytes.readUInt16BE(start)
    if (mark === 0xfeff) return decodeUtf16Big(bytes, start + 2, end)
    if (mark === 0xfffe) return decodeUtf16Little(bytes, start + 2, end)
    return defaultOrder === 'big' ? decodeUtf16Big(bytes, start, end) : decodeUtf16Little(bytes, start, end)
  }
}

export const decodeUtf16Big: Decoder = (bytes, start, end) =>
  decodeUtf16(start, end, (at) => bytes.readUInt16BE(at))
export const decodeUtf16Little: Decoder = (bytes, start, end) =>
  decodeUtf16(start, end, (at) => bytes.readUInt16LE(at))

function decodeUtf16(start: number, end: number, unitAt: (at: number) => number): string {
  let text = ''
  let at = start
  for (; at + 1 < end; at += 2) {
    const unit = unitAt(at)
    if (unit < 0xd800 || unit > 0xdfff) {
      text += String.fromCharCode(unit)
    } else if (unit > 0xdbff) {
      text += REPLACEMENT
    } else {
      // A high surrogate takes the unit after it along, whatever that is.
      at += 2
      if (at + 1 >= end) return text + REPLACEMENT
      const low = unitAt(at)
      text += low < 0xdc00 || low > 0xdfff ? REPLACEMENT : String.fromCharCode(unit, low)
    }
  }
  return at < end ? text + REPLACEMENT : text
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
  let text = ''
  let at = start
  for (; at + 3 < end; at += 4) {
    const codePoint = codePointAt(at)
    text += codePoint > 0x10ffff ? REPLACEMENT : String.fromCodePoint(codePoint)
  }
  return at < end ? text + REPLACEMENT : text
}
