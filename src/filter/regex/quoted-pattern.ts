const BACKSLASH = 0x5c

const isAsciiDigit = (codePoint: number): boolean => codePoint >= 0x30 && codePoint <= 0x39
const isAsciiLetter = (codePoint: number): boolean =>
  (codePoint >= 0x41 && codePoint <= 0x5a) || (codePoint >= 0x61 && codePoint <= 0x7a)
const codePointsOf = (text: string): number[] => Array.from(text, (character) => character.codePointAt(0)!)

/**
 * The code points of a pattern in which each \Q...\E is written with an escape per character. Java's messages count
 * places in this form, so it is exactly Java's: letters stay bare, a digit that comes first is \x3n.
 */
export function withoutQuotes(pattern: string): number[] {
  const source = codePointsOf(pattern)
  const first = firstQuote(source)
  if (first === -1) return source
  const target = source.slice(0, first)
  let inQuote = true
  let atQuoteBegin = true
  for (let at = first + 2; at < source.length; ) {
    const codePoint = source[at++]!
    if (codePoint === BACKSLASH && !inQuote && source[at] === 0x51) {
      at++
      inQuote = true
      atQuoteBegin = true
      continue
    }
    if (codePoint === BACKSLASH && inQuote && source[at] === 0x45) {
      at++
      inQuote = false
    } else if (!inQuote) {
      target.push(codePoint)
      if (codePoint === BACKSLASH && at < source.length) target.push(source[at++]!)
    } else if (isAsciiDigit(codePoint)) {
      if (atQuoteBegin) target.push(BACKSLASH, 0x78, 0x33)
      target.push(codePoint)
    } else {
      if (codePoint < 0x80 && !isAsciiLetter(codePoint)) target.push(BACKSLASH)
      target.push(codePoint)
    }
    atQuoteBegin = false
  }
  return target
}

/** Where the first \Q stands; -1: nowhere. */
function firstQuote(source: readonly number[]): number {
  for (let at = 0; at < source.length - 1; at++) {
    if (source[at] !== BACKSLASH) continue
    if (source[at + 1] === 0x51) return at
    at++
  }
  return -1
}
