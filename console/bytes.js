/** Bytes in the browser: they come and go as base64, and people see and type them as text with `\xHH` for the rest. */

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
export function isPlain(byte) {
  return byte >= 0x20 && byte <= 0x7e && byte !== BACKSLASH
}

/**
 * As HBase's Bytes.toStringBinary: every string of bytes has one text, and every text stands for one string of bytes.
 *
 * @param {Uint8Array} bytes
 */
export function escaped(bytes) {
  let text = ''
  for (const byte of bytes) text += isPlain(byte) ? String.fromCharCode(byte) : `\\x${hex(byte)}`
  return text
}

/**
 * The bytes of what a person has typed: `\xHH` is a byte, every other character its UTF-8. Throws for any other backslash.
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
    if (text[at] === '\\') throw new Error('a backslash begins a byte, as \\x0A; write \\x5C for a backslash')
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
 * The text of UTF-8 without characters that nobody sees; undefined for bytes that are no such text.
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
