/** Bytes in the browser. Requests and answers have them as base64. Users see and type them as text, with `\xHH` for unprintable bytes. */

const BACKSLASH = 0x5c

/** @param {string} text @returns {Uint8Array} */
export function fromBase64(text) {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}

/** @param {Uint8Array} bytes */
export function toBase64(bytes) {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text)
}

/** @param {number} byte */
function hex(byte) {
  return byte.toString(16).toUpperCase().padStart(2, '0')
}

/** @param {number} byte */
export function isPrintable(byte) {
  return byte >= 0x20 && byte <= 0x7e && byte !== BACKSLASH
}

/**
 * The bytes as HBase's Bytes.toStringBinary prints them. Different bytes give different texts.
 *
 * @param {Uint8Array} bytes
 */
export function escaped(bytes) {
  let text = ''
  for (const byte of bytes) text += isPrintable(byte) ? String.fromCharCode(byte) : `\\x${hex(byte)}`
  return text
}

/**
 * The bytes of text that a user typed: `\xHH` is one byte, any other character is encoded as UTF-8. Throws for a backslash that begins no
 * `\xHH`.
 *
 * @param {string} text
 */
export function unescaped(text) {
  const encoder = new TextEncoder()
  /** @type {number[]} */
  const bytes = []
  for (let at = 0; at < text.length; ) {
    const match = /^\\x([0-9a-fA-F]{2})/.exec(text.slice(at, at + 4))
    if (match !== null) {
      bytes.push(Number.parseInt(/** @type {string} */ (match[1]), 16))
      at += 4
      continue
    }
    if (text[at] === '\\')
      throw new Error(
        'After a backslash write x and two hexadecimal digits: \\x0A. A backslash itself is \\x5C.',
      )
    const character = String.fromCodePoint(/** @type {number} */ (text.codePointAt(at)))
    bytes.push(...encoder.encode(character))
    at += character.length
  }
  return Uint8Array.from(bytes)
}

/** @param {Uint8Array} bytes */
export function hexText(bytes) {
  return [...bytes].map(hex).join(' ')
}

/**
 * The bytes decoded as UTF-8. Undefined for bytes that are not UTF-8, and for text with invisible characters other than tab and line feed.
 *
 * @param {Uint8Array} bytes
 */
export function readableText(bytes) {
  let text
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
  return /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/u.test(text.replace(/[\t\n]/g, '')) ? undefined : text
}
