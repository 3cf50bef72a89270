/**
 * Percent-encoding in paths.
 * HBase: RowSpec decodes with URLDecoder, to U+FFFD where bytes are not UTF-8. Clients send binary keys as base64.
 */

const PLAIN = /^[!-$&-*,-~]*$/
const MALFORMED = /%(?![\da-fA-F]{2})|%00/

/** False where a percent sign lacks its two hexadecimal digits, and for NUL, which Jetty refuses. */
export function isWellEncoded(path: string): boolean {
  return !path.includes('%') || !MALFORMED.test(path)
}

/**
 * The bytes of a path segment, which must be well encoded.
 * QUIRK rest-row-json-a-plus-b: a plus in a row or column is a space (`plusIsSpace`); elsewhere it is a plus.
 */
export function percentDecode(text: string, plusIsSpace: boolean): Buffer {
  if (PLAIN.test(text)) return Buffer.from(text, 'latin1')
  const bytes = Buffer.from(text, 'latin1')
  let length = 0
  let isAscii = true
  for (let i = 0; i < bytes.length; i++) {
    let byte = bytes[i]!
    if (byte === 0x25) {
      byte = Number.parseInt(text.slice(i + 1, i + 3), 16)
      i += 2
    } else if (byte === 0x2b && plusIsSpace) {
      byte = 0x20
    }
    if (byte > 0x7f) isAscii = false
    bytes[length++] = byte
  }
  const decoded = bytes.subarray(0, length)
  return isAscii ? decoded : Buffer.from(decoded.toString())
}
