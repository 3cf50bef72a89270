/**
 * Percent-encoding in URLs. HBase decodes a path with Jetty, Jersey and Java's URLDecoder, one after the other. A row of a multiget
 * reaches URLDecoder as text that Jersey has decoded already.
 */

import { decodeJavaUtf8 } from '../../../wire/text/java-utf8.ts'
import { Refusal } from './errors.ts'

const PERCENT = 0x25
const PLUS = 0x2b

const FIRST_PLAIN = 0x21
const LAST_PLAIN = 0x7e
const SUSPECT = /[%{}]/
const MALFORMED = /[{}]|%(?![\da-f]{2})|%00/i
const UTF16_ESCAPE = /%(?=u(?!0000)[\dA-Fa-f]{4})/g
/** Two hexadecimal digits; the first may be a sign, as for Java's Integer.parseInt. */
const HEX_BYTE = /^(?:[+\da-f][\da-f]|-0)$/i
/** The percent-encoded UTF-8 bytes of a surrogate, or the first of them. */
const ENCODED_SURROGATE = /%ed%[ab][\da-f](?:%[89ab][\da-f])?/gi

/**
 * False for a percent sign without two hexadecimal digits, for NUL, which Jetty refuses, and for braces, which Jersey reads as a template.
 */
export function isWellEncoded(path: string): boolean {
  return !SUSPECT.test(path) || !MALFORMED.test(path)
}

/**
 * The path with `%u` escaped, so that every percent sign begins an escape.
 * QUIRK rest-url-malformed-percent-u00e9-e5daca: a sign in front of `u` and four hexadecimal digits stands for itself.
 */
export function withoutUtf16Escapes(path: string): string {
  return path.includes('%u') ? path.replace(UTF16_ESCAPE, '%25') : path
}

/** The decoded parameters of a query. Invalid UTF-8 becomes U+FFFD; a percent sign that begins no escape stays. */
export function parseQuery(query: string): URLSearchParams {
  // URLSearchParams decodes a surrogate to three U+FFFD. Java decodes it to one, like any other invalid byte.
  return new URLSearchParams(query.replace(ENCODED_SURROGATE, '%FF'))
}

/**
 * The bytes of a path segment, or of a row in a query. Bytes that are not UTF-8 become U+FFFD. Throws Refusal 500 for a percent sign
 * without two digits.
 * QUIRK rest-row-json-a-plus-b: a plus in a row or column is a space (`plusIsSpace`); elsewhere it is a plus.
 */
export function percentDecode(text: string, plusIsSpace: boolean): Buffer {
  return plainBytes(text) ?? decodedBytes(text, plusIsSpace)
}

/** The bytes of a text of printable ASCII without percent signs and pluses, as nearly all are. Undefined for another text. */
function plainBytes(text: string): Buffer | undefined {
  const bytes = Buffer.allocUnsafe(text.length)
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code < FIRST_PLAIN || code > LAST_PLAIN || code === PERCENT || code === PLUS) return undefined
    bytes[i] = code
  }
  return bytes
}

function decodedBytes(text: string, plusIsSpace: boolean): Buffer {
  const bytes = Buffer.from(text)
  let length = 0
  let isAscii = true
  for (let i = 0; i < bytes.length; i++) {
    let byte = bytes[i]!
    if (byte === PERCENT) {
      byte = escapedByte(bytes.toString('latin1', i + 1, i + 3), text)
      i += 2
    } else if (byte === PLUS && plusIsSpace) {
      byte = 0x20
    }
    if (byte > 0x7f) isAscii = false
    bytes[length++] = byte
  }
  const decoded = bytes.subarray(0, length)
  return isAscii ? decoded : Buffer.from(decodeJavaUtf8(decoded))
}

/** The text of a path segment, which must pass isWellEncoded. */
export function decodeSegment(segment: string): string {
  return percentDecode(segment, false).toString()
}

/** QUIRK rest-url-malformed-x25-x2b-5-44f503: `%+5` is the byte 5. */
function escapedByte(digits: string, text: string): number {
  if (!HEX_BYTE.test(digits))
    throw new Refusal(500, `a percent sign in "${text}" has no two hexadecimal digits`)
  return Math.abs(Number.parseInt(digits, 16))
}
