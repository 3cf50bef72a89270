/** The strings of Ruby: 'single quotes', where only \\ and \' are escapes, and "double quotes" with bytes such as \x00. */

import { RubyRefusal, RubySyntaxError, UnfinishedInput } from './syntax.ts'

export interface ReadString {
  readonly bytes: Buffer
  /** Index in the text after the closing quote. */
  readonly end: number
}

const SIMPLE: Readonly<Record<string, number>> = {
  a: 0x07,
  b: 0x08,
  t: 0x09,
  n: 0x0a,
  v: 0x0b,
  f: 0x0c,
  r: 0x0d,
  e: 0x1b,
  s: 0x20,
}

/** Reads the string whose opening quote is at `start`. `depth`: the number of open brackets, for UnfinishedInput. */
export function readString(text: string, start: number, line: number, depth: number): ReadString {
  const quote = text[start]!
  const parts: Buffer[] = []
  let plain = start + 1
  let at = start + 1
  for (; text[at] !== quote; at++) {
    if (at >= text.length) throw new UnfinishedInput(quote, depth)
    if (quote === '"' && text[at] === '#' && text[at + 1] === '{')
      throw new RubyRefusal('#{...} in a string is a program', line)
    if (text[at] !== '\\') continue
    if (at + 1 >= text.length) throw new UnfinishedInput(quote, depth)
    const escape = quote === '"' ? readEscape(text, at, line) : readQuoted(text, at)
    if (escape === undefined) continue
    parts.push(Buffer.from(text.slice(plain, at)), escape.bytes)
    plain = escape.end
    at = escape.end - 1
  }
  parts.push(Buffer.from(text.slice(plain, at)))
  return { bytes: Buffer.concat(parts), end: at + 1 }
}

/** The escape of a single-quoted string; undefined where the backslash stands for itself. */
function readQuoted(text: string, at: number): ReadString | undefined {
  const next = text[at + 1]!
  return next === '\\' || next === "'" ? { bytes: Buffer.from(next), end: at + 2 } : undefined
}

function readEscape(text: string, at: number, line: number): ReadString {
  const next = text[at + 1]!
  const rest = text.slice(at + 1, at + 12)
  const hex = /^x([0-9a-fA-F]{1,2})/.exec(rest)
  if (hex !== null) return byte(Number.parseInt(hex[1]!, 16), at + 1 + hex[0].length)
  const octal = /^[0-7]{1,3}/.exec(rest)
  if (octal !== null) return byte(Number.parseInt(octal[0], 8) & 0xff, at + 1 + octal[0].length)
  const unicode = /^u(?:([0-9a-fA-F]{4})|\{([0-9a-fA-F]{1,6})\})/.exec(rest)
  if (unicode !== null) {
    const point = Number.parseInt(unicode[1] ?? unicode[2]!, 16)
    if (point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff))
      throw new RubySyntaxError('invalid Unicode codepoint', line)
    return { bytes: Buffer.from(String.fromCodePoint(point)), end: at + 1 + unicode[0].length }
  }
  if (next === 'x') throw new RubySyntaxError('invalid hex escape', line)
  if (next === 'u') throw new RubySyntaxError('invalid Unicode escape', line)
  if (/^(?:[cCM]-|c)/.test(rest)) throw new RubyRefusal(`the escape \\${next} of a control key`, line)
  const simple = SIMPLE[next]
  if (simple !== undefined) return byte(simple, at + 2)
  // A line that ends in a backslash continues on the next one.
  if (next === '\n') return { bytes: Buffer.alloc(0), end: at + 2 }
  const character = String.fromCodePoint(text.codePointAt(at + 1)!)
  return { bytes: Buffer.from(character), end: at + 1 + character.length }
}

function byte(value: number, end: number): ReadString {
  return { bytes: Buffer.from([value]), end }
}
