import { foldCase } from './case-folding.ts'
import type { AssertionNode } from './pattern-node.ts'
import { unicodeWord } from './predefined-classes.ts'

const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
const UNDERSCORE = 0x5f

const LETTER_OR_DIGIT = /[\p{L}\p{Nd}]/u
const NON_SPACING_MARK = /\p{Mn}/u

/** Whether an assertion holds at a position of the text. */
export function holds(node: AssertionNode, text: string, position: number): boolean {
  switch (node.assertion) {
    case 'begin':
      return position === 0
    case 'end':
      return position === text.length
    case 'endOrFinalTerminator':
      return position === text.length || position === finalTerminator(text, node.unixLines)
    case 'lineBegin':
      return isLineBegin(text, position, node.unixLines)
    case 'lineEnd':
      return position === text.length || isLineEnd(text, position, node.unixLines)
    case 'wordBoundary':
      return isWordBoundary(text, position, node.unicodeWords)
    case 'notWordBoundary':
      return !isWordBoundary(text, position, node.unicodeWords)
    case 'graphemeBoundary':
      return isGraphemeBoundary(text, position)
  }
}

/** Where the line terminator begins that ends the text; -1: none does. */
export function finalTerminator(text: string, unixLines: boolean): number {
  const last = text.length - 1
  if (last < 0 || !endsLine(text.charCodeAt(last), unixLines)) return -1
  const isPair = !unixLines && last > 0 && isCarriageReturnLineFeed(text, last - 1)
  return isPair ? last - 1 : last
}

function endsLine(unit: number, unixLines: boolean): boolean {
  if (unixLines) return unit === LINE_FEED
  return unit === LINE_FEED || unit === CARRIAGE_RETURN || unit === 0x85 || (unit | 1) === 0x2029
}

function isCarriageReturnLineFeed(text: string, position: number): boolean {
  return text.charCodeAt(position) === CARRIAGE_RETURN && text.charCodeAt(position + 1) === LINE_FEED
}

/** Java has no line begin at the end, not even of an empty text. */
function isLineBegin(text: string, position: number, unixLines: boolean): boolean {
  if (position === text.length) return false
  if (position === 0) return true
  if (!endsLine(text.charCodeAt(position - 1), unixLines)) return false
  return unixLines || !isCarriageReturnLineFeed(text, position - 1)
}

function isLineEnd(text: string, position: number, unixLines: boolean): boolean {
  if (!endsLine(text.charCodeAt(position), unixLines)) return false
  return unixLines || position === 0 || !isCarriageReturnLineFeed(text, position - 1)
}

function isWordBoundary(text: string, position: number, unicodeWords: boolean): boolean {
  const before = position > 0 && isWordAt(text, positionBefore(text, position), unicodeWords)
  const after = position < text.length && isWordAt(text, position, unicodeWords)
  return before !== after
}

/** The begin of the code point before a position. */
export function positionBefore(text: string, position: number): number {
  const isPair = position > 1 && text.codePointAt(position - 2)! > 0xffff
  return isPair ? position - 2 : position - 1
}

/** The position some code points before another; 0: there are not so many. */
export function positionsBefore(text: string, position: number, count: number): number {
  let at = position
  for (let left = count; left > 0 && at > 0; left--) at = positionBefore(text, at)
  return at
}

function isWordAt(text: string, position: number, unicodeWords: boolean): boolean {
  const codePoint = text.codePointAt(position)!
  if (unicodeWords) return unicodeWord().has(codePoint) || hasBase(text, position)
  if (codePoint === UNDERSCORE) return true
  return LETTER_OR_DIGIT.test(String.fromCodePoint(codePoint)) || hasBase(text, position)
}

/** Whether a mark stands here that belongs to a letter or digit before it. */
function hasBase(text: string, position: number): boolean {
  for (let at = position; at >= 0; at = positionBefore(text, at)) {
    const character = String.fromCodePoint(text.codePointAt(at)!)
    if (at < position && LETTER_OR_DIGIT.test(character)) return true
    if (!NON_SPACING_MARK.test(character)) return false
  }
  return false
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
/** The most code units of a grapheme: only contrived ones are longer. */
const GRAPHEME_UNITS_MAX = 1024

/** The end of the character, as a reader sees it, that begins at a position before the end. */
export function graphemeEnd(text: string, position: number): number {
  const near = text.slice(position, position + GRAPHEME_UNITS_MAX)
  return position + graphemes.segment(near).containing(0)!.segment.length
}

function isGraphemeBoundary(text: string, position: number): boolean {
  if (position === 0 || position === text.length) return true
  return graphemeEnd(text, positionBefore(text, position)) === position
}

/** Whether the `length` characters at `begin` come again at `position`, under a back-reference's flags. */
export function isRepeated(
  text: string,
  begin: number,
  position: number,
  length: number,
  ignoreCase: 'no' | 'ascii' | 'unicode',
): boolean {
  for (let at = 0; at < length; at++) {
    const one = text.charCodeAt(begin + at)
    const other = text.charCodeAt(position + at)
    if (one === other) continue
    if (ignoreCase === 'no' || !equalsIgnoringCase(one, other, ignoreCase)) return false
  }
  return true
}

function equalsIgnoringCase(one: number, other: number, ignoreCase: 'ascii' | 'unicode'): boolean {
  if (one === other) return true
  if (ignoreCase === 'unicode') return foldCase(one) === foldCase(other)
  return one < 0x80 && other < 0x80 && foldCase(one) === foldCase(other)
}
