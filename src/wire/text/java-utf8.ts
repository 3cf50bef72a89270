const REPLACEMENT = '\ufffd'

/**
 * A surrogate in UTF-8, or its beginning. Java replaces it by one U+FFFD, Node by one for each byte. The pattern is on
 * bytes as Latin 1.
 */
const ENCODED_SURROGATE = /\xed[\xa0-\xbf][\x80-\xbf]?/g

/** The text of bytes in UTF-8, with U+FFFD in place of bytes that are not, as Java's String has it. */
export function decodeJavaUtf8(bytes: Buffer, start = 0, end: number = bytes.length): string {
  const text = bytes.toString('utf8', start, end)
  if (!text.includes(REPLACEMENT)) return text
  const latin1 = bytes.toString('latin1', start, end)
  const marked = latin1.replace(ENCODED_SURROGATE, '\xff')
  return marked.length === latin1.length ? text : Buffer.from(marked, 'latin1').toString('utf8')
}
