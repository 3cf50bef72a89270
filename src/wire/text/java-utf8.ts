const REPLACEMENT = '\ufffd'

const SURROGATE_LEAD = 0xed
/** No byte of UTF-8. */
const MALFORMED = 0xff

/** The text of bytes in UTF-8, with U+FFFD in place of bytes that are not, as Java's String has it. */
export function decodeJavaUtf8(bytes: Buffer, start = 0, end: number = bytes.length): string {
  const text = bytes.toString('utf8', start, end)
  if (!text.includes(REPLACEMENT)) return text
  const marked = withoutSurrogates(bytes, start, end)
  return marked === undefined ? text : marked.toString('utf8')
}

/**
 * The bytes with one malformed byte in place of each surrogate in UTF-8, or its beginning: Java replaces it by one U+FFFD, Node by one for each
 * byte. Undefined: there is none. A value may have a million of them.
 */
function withoutSurrogates(bytes: Buffer, start: number, end: number): Buffer | undefined {
  let lead = bytes.indexOf(SURROGATE_LEAD, start)
  if (lead === -1 || lead >= end) return undefined
  const marked = Buffer.allocUnsafe(end - start)
  let length = bytes.copy(marked, 0, start, lead)
  while (lead < end) {
    const byte = bytes[lead]!
    const isSurrogate = byte === SURROGATE_LEAD && lead + 1 < end && isBetween(bytes[lead + 1]!, 0xa0, 0xbf)
    marked[length++] = isSurrogate ? MALFORMED : byte
    if (isSurrogate) lead += lead + 2 < end && isBetween(bytes[lead + 2]!, 0x80, 0xbf) ? 3 : 2
    else lead++
  }
  return length === end - start ? undefined : marked.subarray(0, length)
}

function isBetween(byte: number, least: number, greatest: number): boolean {
  return byte >= least && byte <= greatest
}
