/**
 * Takes one `Name('argument', argument, ...)` of a filter string apart. HBase: ParseFilter.getFilterName,
 * getFilterArguments: the name ends at the first space or parenthesis, and a tab is no space.
 * QUIRK filter-grammar-prefix-ab-x-df35c2: the parser passes over any one character after an argument's closing quote.
 */

import type { Steps } from '../../model/steps.ts'
import type { FilterParts } from '../schema/filter-parts.ts'
import { quoted, syntaxError } from './syntax-error.ts'

/** Bytes that are looked at in a step, and arguments that are read in one. */
const STEP_BYTES = 64 * 1024
const STEP_ARGUMENTS = 256

const SPACE = 0x20
const QUOTE = 0x27
const LEFT = 0x28
const RIGHT = 0x29
const COMMA = 0x2c

/**
 * An argument with its quotes, if it has any, and doubled quotes within made single; and the place where it begins in the
 * text.
 */
export interface Argument {
  readonly bytes: Buffer
  readonly offset: number
}

export interface FilterExpression {
  readonly name: string
  readonly arguments: readonly Argument[]
  /** The whole expression is text[start, end). */
  readonly text: Buffer
  readonly start: number
  readonly end: number
}

/** Reads the expression that begins at text[start]. */
export function* readFilterExpression(
  text: Buffer,
  start: number,
  parts: FilterParts,
): Steps<FilterExpression> {
  const end = yield* expressionEnd(text, start)
  let nameEnd = start
  while (nameEnd < end && text[nameEnd] !== LEFT && text[nameEnd] !== SPACE) nameEnd++
  if (nameEnd === end) {
    throw syntaxError('Incorrect Filter Name', text, end - 1, 'a parenthesis "(" after the name of a filter')
  }
  const open = text.subarray(0, end).indexOf(LEFT, start)
  if (open < 0) throw syntaxError('Incorrect argument list', text, end - 1, 'a parenthesis "("')
  const name = quoted(text.subarray(start, nameEnd))
  return { name, arguments: yield* readArguments(text, open + 1, end, parts), text, start, end }
}

/** The offset after the first ")" outside quotes. */
function* expressionEnd(text: Buffer, start: number): Steps<number> {
  let inQuotes = false
  for (let i = start; i < text.length; i++) {
    if (i % STEP_BYTES === 0) yield
    if (text[i] === QUOTE) {
      if (text[i + 1] === QUOTE) i++
      else inQuotes = !inQuotes
    } else if (text[i] === RIGHT && !inQuotes) {
      return i + 1
    }
  }
  const expected = inQuotes ? 'a closing quote' : 'a parenthesis ")"'
  throw syntaxError('Incorrect Filter String', text, text.length, expected)
}

function* readArguments(text: Buffer, start: number, end: number, parts: FilterParts): Steps<Argument[]> {
  const found: Argument[] = []
  let at = start
  while (at < end) {
    if (isSeparator(text[at]!)) {
      if (at % STEP_BYTES === 0) yield
      at++
      continue
    }
    parts.add()
    if (found.length % STEP_ARGUMENTS === STEP_ARGUMENTS - 1) yield
    if (text[at] === QUOTE) {
      const close = yield* closingQuote(text, at, end)
      found.push({ bytes: yield* unescaped(text, at, close), offset: at })
      // Past the quote and one more character: `'a'b` loses the b.
      at = close + 2
    } else {
      const offset = at
      // The argument ends before text[end - 1] at the latest, which is a parenthesis.
      while (!isSeparator(text[at]!)) at++
      found.push({ bytes: text.subarray(offset, at), offset })
      at++
    }
  }
  return found
}

function isSeparator(byte: number): boolean {
  return byte === SPACE || byte === COMMA || byte === RIGHT
}

function* closingQuote(text: Buffer, open: number, end: number): Steps<number> {
  for (let i = open + 1; i < end; i++) {
    if (i % STEP_BYTES === 0) yield
    if (text[i] !== QUOTE) continue
    if (i + 1 === end || text[i + 1] !== QUOTE) return i
    i++
  }
  throw syntaxError('Incorrect argument list', text, end, 'a closing quote')
}

/** text[open, close], with each pair of quotes within it made one. */
function* unescaped(text: Buffer, open: number, close: number): Steps<Buffer> {
  const bytes = Buffer.allocUnsafe(close - open + 1)
  let length = 0
  bytes[length++] = QUOTE
  for (let i = open + 1; i < close; i++) {
    if (i % STEP_BYTES === 0) yield
    bytes[length++] = text[i]!
    if (text[i] === QUOTE && i + 1 < close && text[i + 1] === QUOTE) i++
  }
  bytes[length++] = QUOTE
  return bytes.subarray(0, length)
}
