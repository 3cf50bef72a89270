/**
 * Text in URLs: where it is malformed, and the bytes that it stands for. HBase reads a path with Jetty, Jersey and Java's
 * URLDecoder, one after the other; a row of a multiget comes to URLDecoder as text that Jersey has decoded already.
 */

import { decodeJavaUtf8 } from '../../../wire/text/java-utf8.ts'
import { Refusal } from './errors.ts'

const PERCENT = 0x25
const PLUS = 0x2b

const PLAIN = /^[!-$&-*,-~]*$/
const SUSPECT = /[%{}]/
const MALFORMED = /[{}]|%(?![\da-f]{2})|%00/i
const UTF16_ESCAPE = /%(?=u(?!0000)[\dA-Fa-f]{4})/g
/** Java's Integer.parseInt takes a sign for the first digit. */
const HEX_BYTE = /^(?:[+\da-f][\da-f]|-0)$/i
/** The bytes of a surrogate in UTF-8, or their beginning. */
const ENCODED_SURROGATE = /%ed%[ab][\da-f](?:%[89ab][\da-f])?/gi

/**
 * False where a percent sign lacks its two hexadecimal digits, for NUL, which Jetty refuses, and for braces, which Jersey
 * takes for a template's.
 */
export function isWellEncoded(path: string): boolean {
  return !SUSPECT.test(path) || !MALFORMED.test(path)
}

/**
 * A path whose percent signs all begin an escape.
 * QUIRK rest-url-malformed-percent-u00e9-e5daca: a sign in front of `u` and four hexadecimal digits stands for itself.
 */
export function withoutUtf16Escapes(path: string): string {
  return path.includes('%u') ? path.replace(UTF16_ESCAPE, '%25') : path
}

/** The parameters of a query, decoded: what is not UTF-8 is U+FFFD, a percent sign that begins no escape stands for itself. */
export function parseQuery(query: string): URLSearchParams {
  // URLSearchParams has three U+FFFD for a surrogate, Java has one, as for any other byte that cannot be.
  return new URLSearchParams(query.replace(ENCODED_SURROGATE, '%FF'))
}

/**
 * The bytes of a path segment, or of a row in a query, as UTF-8: U+FFFD stands for what is not. Throws Refusal 500 for a
 * percent sign without its digits.
 * QUIRK rest-row-json-a-plus-b: a plus in a row or column is a space (`plusIsSpace`); elsewhere it is a plus.
 */
export function percentDecode(text: string, plusIsSpace: boolean): Buffer {
  if (PLAIN.test(text)) return Buffer.from(text, 'latin1')
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

/** The text of a path segment, which must be well encoded. */
export function decodeSegment(segment: string): string {
  return percentDecode(segment, false).toString()
}

/** QUIRK rest-url-malformed-x25-x2b-5-44f503: `%+5` is the byte 5. */
function escapedByte(digits: string, text: string): number {
  if (!HEX_BYTE.test(digits)) throw new Refusal(500, `a percent sign in "${text}" begins no byte`)
  return Math.abs(Number.parseInt(digits, 16))
}
