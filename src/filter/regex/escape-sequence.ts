import type { CaptureGroups } from './capture-groups.ts'
import { CODE_POINT_MAX, type CodePointSet } from './code-point-set.ts'
import { PatternFlag } from './pattern-flags.ts'
import type { Assertion, PatternNode } from './pattern-node.ts'
import type { PatternReader } from './pattern-reader.ts'
import { predefinedClass } from './predefined-classes.ts'

/** The meaning of an escape. */
export type Escape =
  | { readonly kind: 'codePoint'; readonly codePoint: number }
  | { readonly kind: 'class'; readonly set: CodePointSet }
  | { readonly kind: 'node'; readonly node: PatternNode }

const CONTROLS: Readonly<Record<string, number>> = { a: 0x07, e: 0x1b, f: 0x0c, n: 0x0a, r: 0x0d, t: 0x09 }
const ASSERTIONS: Readonly<Record<string, Assertion>> = {
  A: 'begin',
  B: 'notWordBoundary',
  // The end of the previous match: the text's begin, as a search looks for one match only.
  G: 'begin',
  Z: 'endOrFinalTerminator',
  b: 'wordBoundary',
  z: 'end',
}
const UNSUPPORTED = 'Illegal/unsupported escape sequence'

export const digitOf = (codePoint: number): number => {
  const digit = codePoint - 0x30
  return digit >= 0 && digit <= 9 ? digit : -1
}
const hexDigitOf = (codePoint: number): number => {
  const text = String.fromCodePoint(codePoint)
  return /^[0-9a-fA-F]$/.test(text) ? Number.parseInt(text, 16) : -1
}
const isLetter = (codePoint: number): boolean => /^[a-zA-Z]$/.test(String.fromCodePoint(codePoint))

/** Reads the escape at the cursor, which is at its backslash, outside a class. */
export function readEscape(reader: PatternReader, groups: CaptureGroups): Escape {
  const codePoint = reader.skip()
  const letter = String.fromCodePoint(codePoint)
  const digit = digitOf(codePoint)
  if (digit > 0) return node(backReference(reader, readGroupNumber(reader, digit, groups)))
  if (letter === 'k') return node(backReference(reader, readGroupName(reader, groups)))
  if (letter === 'R') return node({ kind: 'lineBreak' })
  if (letter === 'X') return node({ kind: 'graphemeCluster' })
  if (Object.hasOwn(ASSERTIONS, letter)) return node(assertion(reader, readBoundary(reader, letter)))
  return readCommonEscape(reader, codePoint)
}

/** Reads an escape in a class; `isRange`: it is an end of a range, where \v is one character. */
export function readClassEscape(reader: PatternReader, isRange: boolean): Escape {
  const codePoint = reader.skip()
  if (isRange && codePoint === 0x76) return { kind: 'codePoint', codePoint: 0x0b }
  return readCommonEscape(reader, codePoint)
}

function readCommonEscape(reader: PatternReader, codePoint: number): Escape {
  const letter = String.fromCodePoint(codePoint)
  if (Object.hasOwn(CONTROLS, letter)) return { kind: 'codePoint', codePoint: CONTROLS[letter]! }
  const set = predefinedClass(letter, reader.flags)
  if (set !== undefined) return { kind: 'class', set }
  switch (letter) {
    case '0':
      return { kind: 'codePoint', codePoint: readOctal(reader) }
    case 'c':
      if (reader.isAtEnd) throw reader.error('Illegal control escape sequence')
      return { kind: 'codePoint', codePoint: reader.read() ^ 64 }
    case 'u':
      return { kind: 'codePoint', codePoint: readUnicode(reader) }
    case 'x':
      return { kind: 'codePoint', codePoint: readHexadecimal(reader) }
    case 'N':
      throw unknownName(reader)
    default:
      if (isLetter(codePoint) || digitOf(codePoint) > 0) throw reader.error(UNSUPPORTED)
      return { kind: 'codePoint', codePoint }
  }
}

function node(it: PatternNode): Escape {
  return { kind: 'node', node: it }
}

/** An assertion under the flags at this place. */
export function assertion(reader: PatternReader, kind: Assertion): PatternNode {
  return {
    kind: 'assertion',
    assertion: kind,
    unixLines: reader.has(PatternFlag.UnixLines),
    unicodeWords: reader.has(PatternFlag.UnicodeCharacterClass),
  }
}

function backReference(reader: PatternReader, group: number): PatternNode {
  const ignoreCase = reader.has(PatternFlag.UnicodeCase) ? 'unicode' : 'ascii'
  return {
    kind: 'backReference',
    group,
    ignoreCase: reader.has(PatternFlag.CaseInsensitive) ? ignoreCase : 'no',
  }
}

/** More digits belong to the number as long as there are so many groups. */
function readGroupNumber(reader: PatternReader, firstDigit: number, groups: CaptureGroups): number {
  let group = firstDigit
  for (;;) {
    const digit = digitOf(reader.peek())
    if (digit === -1 || groups.count < group * 10 + digit) return group
    group = group * 10 + digit
    reader.read()
  }
}

function readGroupName(reader: PatternReader, groups: CaptureGroups): number {
  if (reader.read() !== 0x3c) throw reader.error("\\k is not followed by '<' for named capturing group")
  const name = readName(reader, reader.read())
  const group = groups.byName.get(name)
  if (group === undefined) throw reader.error(`named capturing group <${name}> does not exist`)
  return group
}

/** Reads a group's name, of which the first letter is taken already, and its `>`. */
export function readName(reader: PatternReader, first: number): string {
  if (!isLetter(first)) throw reader.error('capturing group name does not start with a Latin letter')
  let name = ''
  let codePoint = first
  do {
    name += String.fromCodePoint(codePoint)
    codePoint = reader.read()
  } while (isLetter(codePoint) || digitOf(codePoint) !== -1)
  if (codePoint !== 0x3e) throw reader.error("named capturing group is missing trailing '>'")
  return name
}

function readBoundary(reader: PatternReader, letter: string): Assertion {
  if (letter !== 'b' || reader.peek() !== 0x7b) return ASSERTIONS[letter]!
  if (reader.skip() === 0x67) {
    if (reader.read() === 0x7d) return 'graphemeBoundary'
    throw reader.error(UNSUPPORTED)
  }
  reader.unread()
  reader.unread()
  return 'wordBoundary'
}

function readOctal(reader: PatternReader): number {
  const digits: number[] = []
  while (digits.length < (digits[0]! <= 3 ? 3 : 2) || digits.length === 0) {
    const digit = digitOf(reader.read())
    if (digit === -1 || digit > 7) {
      if (digits.length === 0) throw reader.error('Illegal octal escape sequence')
      reader.unread()
      break
    }
    digits.push(digit)
  }
  return digits.reduce((value, digit) => value * 8 + digit, 0)
}

function readHexadecimal(reader: PatternReader): number {
  const first = reader.read()
  const high = hexDigitOf(first)
  if (high !== -1) {
    const low = hexDigitOf(reader.read())
    if (low !== -1) return high * 16 + low
  } else if (first === 0x7b && hexDigitOf(reader.peek()) !== -1) {
    let value = 0
    let codePoint = reader.read()
    for (; hexDigitOf(codePoint) !== -1; codePoint = reader.read()) {
      value = value * 16 + hexDigitOf(codePoint)
      if (value > CODE_POINT_MAX) throw reader.error('Hexadecimal codepoint is too big')
    }
    if (codePoint !== 0x7d) throw reader.error('Unclosed hexadecimal escape sequence')
    return value
  }
  throw reader.error('Illegal hexadecimal escape sequence')
}

/** \uhhhh, and two of them where they are a surrogate pair. */
function readUnicode(reader: PatternReader): number {
  const high = readFourDigits(reader)
  if (high < 0xd800 || high > 0xdbff) return high
  const cursor = reader.cursor
  if (reader.read() === 0x5c && reader.read() === 0x75) {
    const low = readFourDigits(reader)
    if (low >= 0xdc00 && low <= 0xdfff) return 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00)
  }
  reader.cursor = cursor
  return high
}

function readFourDigits(reader: PatternReader): number {
  let value = 0
  for (let count = 0; count < 4; count++) {
    const digit = hexDigitOf(reader.read())
    if (digit === -1) throw reader.error('Illegal Unicode escape sequence')
    value = value * 16 + digit
  }
  return value
}

/** \N{name}: characters by name are the one thing of Java's syntax that is left out, for the size of Unicode's list of names. */
function unknownName(reader: PatternReader): Error {
  if (reader.read() !== 0x7b) return reader.error('Illegal character name escape sequence')
  let name = ''
  for (;;) {
    const codePoint = reader.read()
    if (codePoint === 0x7d) return reader.error(`Unknown character name [${name}]`)
    if (reader.isAtEnd) return reader.error('Unclosed character name escape sequence')
    name += String.fromCodePoint(codePoint)
  }
}
