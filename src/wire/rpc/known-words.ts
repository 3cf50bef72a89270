/** A power of two. */
const PLACES = 64
const WORD_BYTES_MAX = 64

interface Word {
  readonly bytes: Buffer
  readonly text: string
}

/**
 * Short texts that come again and again, such as the names of methods: a text that is made anew for each call is hashed anew
 * by each Map that it is looked up in.
 */
export class KnownWords {
  readonly #words: (Word | undefined)[] = Array.from({ length: PLACES }, () => undefined)

  /** The text at buffer[start..end). */
  text(buffer: Buffer, start: number, end: number): string {
    const length = end - start
    if (length === 0 || length > WORD_BYTES_MAX) return buffer.toString('utf8', start, end)
    const place = (buffer[start]! * 31 + buffer[end - 1]! * 7 + length) & (PLACES - 1)
    const known = this.#words[place]
    if (known !== undefined && isAt(known.bytes, buffer, start, length)) return known.text
    const text = buffer.toString('utf8', start, end)
    this.#words[place] = { bytes: Buffer.from(buffer.subarray(start, end)), text }
    return text
  }
}

function isAt(word: Buffer, buffer: Buffer, start: number, length: number): boolean {
  if (word.length !== length) return false
  for (let i = 0; i < length; i++) if (word[i] !== buffer[start + i]) return false
  return true
}
