/** Documents in any encoding of Unicode, as Jackson and Xerces recognise them by their first bytes. */

import { isUtf8 } from 'node:buffer'

type Encoding = 'utf8' | 'utf16le' | 'utf16be' | 'utf32le' | 'utf32be'

const MARK = 0xfeff
const LESS_THAN = 0x3c

/**
 * JSON as UTF-8 without a byte order mark: the body itself where it is that. Bytes that are not of the encoding become
 * U+FFFD. Jackson: ByteSourceJsonBootstrapper.
 */
export function jsonAsUtf8(body: Buffer): Buffer {
  const [first, second] = body
  if (first === undefined || second === undefined) return body
  if (first < 0x80 && first !== 0 && second !== 0) return body
  const { encoding, start } = jsonEncoding(body)
  const text = body.subarray(start)
  return encoding === 'utf8' ? text : Buffer.from(decoded(text, encoding))
}

function jsonEncoding(body: Buffer): { encoding: Encoding; start: number } {
  const word = body.length < 4 ? undefined : body.readUInt32BE(0)
  if (word === MARK) return { encoding: 'utf32be', start: 4 }
  if (word === 0xfffe0000) return { encoding: 'utf32le', start: 4 }
  const marked = word === undefined ? undefined : markedEncoding(body)
  if (marked !== undefined) return marked
  if (word !== undefined && word >>> 8 === 0) return { encoding: 'utf32be', start: 0 }
  if (word !== undefined && (word & 0xffffff) === 0) return { encoding: 'utf32le', start: 0 }
  if (body[0] === 0) return { encoding: 'utf16be', start: 0 }
  return { encoding: body[1] === 0 ? 'utf16le' : 'utf8', start: 0 }
}

function markedEncoding(body: Buffer): { encoding: Encoding; start: number } | undefined {
  if (body.length < 2) return undefined
  const half = body.readUInt16BE(0)
  if (half === MARK) return { encoding: 'utf16be', start: 2 }
  if (half === 0xfffe) return { encoding: 'utf16le', start: 2 }
  return half === 0xefbb && body[2] === 0xbf ? { encoding: 'utf8', start: 3 } : undefined
}

/**
 * XML as text without a byte order mark; undefined where it is not in the encoding that it begins with or declares, or
 * that is unknown. Xerces: XMLEntityManager.getEncodingInfo.
 */
export function xmlText(body: Buffer): string | undefined {
  const { encoding, start } = xmlEncoding(body)
  const bytes = body.subarray(start)
  if (start > 0 && markedEncoding(bytes) !== undefined) return undefined
  if (encoding !== 'utf8') {
    const text = decoded(bytes, encoding)
    const declared = declaredEncoding(text.slice(0, DECLARATION_MAX))
    return declared === undefined ||
      declared.startsWith(encoding.startsWith('utf16') ? 'utf-16' : 'iso-10646')
      ? text
      : undefined
  }
  const declared =
    bytes[1] === 0x3f ? declaredEncoding(bytes.toString('latin1', 0, DECLARATION_MAX)) : undefined
  if (declared === undefined || declared === 'utf-8') return isUtf8(bytes) ? bytes.toString() : undefined
  if (declared === 'iso-8859-1' || declared === 'latin1') return bytes.toString('latin1')
  return declared.startsWith('utf-16') ? undefined : decodedAs(bytes, declared)
}

function xmlEncoding(body: Buffer): { encoding: Encoding; start: number } {
  const marked = markedEncoding(body)
  if (marked !== undefined) return marked
  const word = body.length < 4 ? 0 : body.readUInt32BE(0)
  if (word === LESS_THAN) return { encoding: 'utf32be', start: 0 }
  if (word === 0x3c000000) return { encoding: 'utf32le', start: 0 }
  if (word === 0x003c003f) return { encoding: 'utf16be', start: 0 }
  return { encoding: word === 0x3c003f00 ? 'utf16le' : 'utf8', start: 0 }
}

const DECLARATION_MAX = 200
const DECLARATION = /^<\?xml\s[^>]*?\bencoding\s*=\s*["']([A-Za-z][\w.-]*)["']/

function declaredEncoding(start: string): string | undefined {
  return DECLARATION.exec(start)?.[1]?.toLowerCase()
}

function decodedAs(bytes: Buffer, label: string): string | undefined {
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

function decoded(bytes: Buffer, encoding: Encoding): string {
  switch (encoding) {
    case 'utf8':
      return bytes.toString()
    case 'utf16le':
      return bytes.toString('utf16le')
    case 'utf16be':
      return Buffer.from(bytes.subarray(0, bytes.length & ~1))
        .swap16()
        .toString('utf16le')
    case 'utf32le':
    case 'utf32be':
      return utf32Text(bytes, encoding === 'utf32le')
  }
}

function utf32Text(bytes: Buffer, isLittle: boolean): string {
  const points = Array.from({ length: bytes.length >>> 2 }, (_, index) => {
    const point = isLittle ? bytes.readUInt32LE(index * 4) : bytes.readUInt32BE(index * 4)
    return point > 0x10ffff ? '\ufffd' : String.fromCodePoint(point)
  })
  return points.join('')
}
