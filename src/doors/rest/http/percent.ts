/** Percent-encoding in paths. Bytes that are no UTF-8 come out as U+FFFD, as HBase reads them: binary keys go as base64. */

const PLAIN = /^[!-$&-*,-~]*$/
const MALFORMED = /%(?![\da-fA-F]{2})|%00/

/** False where a percent sign is not followed by two hexadecimal digits, and for NUL, which HBase's server refuses. */
export function isWellEncoded(path: string): boolean {
  return !path.includes('%') || !MALFORMED.test(path)
}

/** The bytes of a path segment, which must be well encoded. `plusIsSpace`: as Java's URLDecoder, for rows and columns. */
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
