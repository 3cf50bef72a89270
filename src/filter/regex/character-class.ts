import { characterSet, rangeSet } from './case-folding.ts'
import { type CodePointSet, NO_CODE_POINTS } from './code-point-set.ts'
import { readClassEscape } from './escape-sequence.ts'
import { GrowingSet } from './growing-set.ts'
import { PatternFlag } from './pattern-flags.ts'
import type { PatternReader } from './pattern-reader.ts'
import { namedClass, valuedClass } from './property-classes.ts'

const AMPERSAND = 0x26
const HYPHEN = 0x2d
const OPEN = 0x5b
const BACKSLASH = 0x5c
const CLOSE = 0x5d
const CARET = 0x5e
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d

/** Classes may nest so deep: a pattern comes from a client, and a parser of it must not use up the stack. */
export const CLASS_DEPTH_MAX = 100
/** A pattern may have so many `&&`: each takes time for the whole of its class. */
export const INTERSECTIONS_MAX = 250

/** The content of a class as far as it is read. */
interface ClassContent {
  /** Ranges, predefined and nested classes. */
  readonly classes: GrowingSet
  /** Single characters below 256, which join the rest at an intersection or at the end; undefined: none since then. */
  characters: CodePointSet | undefined
  /** The last item; undefined: it was a single character. `&&` with nothing after it intersects with this item. */
  last: CodePointSet | undefined
}

/** Reads the class at the cursor, which is at its bracket; `closing`: with the bracket that ends it. */
export function readClass(reader: PatternReader, closing = true, depth = 0): CodePointSet {
  if (depth > CLASS_DEPTH_MAX) throw reader.error(`Classes are nested deeper than ${CLASS_DEPTH_MAX}`)
  const content: ClassContent = { classes: new GrowingSet(), characters: undefined, last: undefined }
  let codePoint = reader.next()
  const isNegated = codePoint === CARET && reader.at(reader.cursor - 1) === OPEN
  if (isNegated) codePoint = reader.next()
  for (;;) {
    if (codePoint === OPEN) {
      content.last = readClass(reader, true, depth + 1)
      content.classes.add(content.last)
    } else if (codePoint === AMPERSAND && isIntersection(reader)) {
      intersect(reader, content, depth)
    } else if (codePoint === 0 && reader.isAtEnd) {
      throw reader.error('Unclosed character class')
    } else if (codePoint === CLOSE && !(content.classes.isEmpty && content.characters === undefined)) {
      if (closing) reader.next()
      mergeCharacters(content)
      return isNegated ? content.classes.whole.complement() : content.classes.whole
    } else {
      readItem(reader, content)
    }
    codePoint = reader.peek()
  }
}

/** At an ampersand: moves on to the second one, if there is one. */
function isIntersection(reader: PatternReader): boolean {
  if (reader.next() === AMPERSAND) return true
  reader.unread()
  return false
}

function intersect(reader: PatternReader, content: ClassContent, depth: number): void {
  if (++reader.intersections > INTERSECTIONS_MAX)
    throw reader.error(`Classes are intersected more than ${INTERSECTIONS_MAX} times`)
  const right = readRightSide(reader, depth)
  if (content.classes.isEmpty && content.characters !== undefined) content.last = content.characters
  mergeCharacters(content)
  if (right !== undefined) content.last = right
  if (content.classes.isEmpty) {
    if (right === undefined) throw reader.error('Bad class syntax')
    content.classes.add(right)
  } else {
    if (content.last === undefined) throw reader.error('Bad intersection syntax')
    content.classes.replaceBy(content.classes.whole.intersection(content.last))
  }
}

/** The classes after `&&`, up to the next ampersand or the end of the class; undefined: there are none. */
function readRightSide(reader: PatternReader, depth: number): CodePointSet | undefined {
  const right = new GrowingSet()
  for (
    let codePoint = reader.next();
    codePoint !== CLOSE && codePoint !== AMPERSAND;
    codePoint = reader.peek()
  ) {
    const isNested = codePoint === OPEN
    if (!isNested) reader.unread()
    right.add(readClass(reader, isNested, depth + 1))
  }
  return right.isEmpty ? undefined : right.whole
}

function mergeCharacters(content: ClassContent): void {
  if (content.characters === undefined) return
  content.classes.add(content.characters)
  content.characters = undefined
}

/** Reads one character, range or predefined class. */
function readItem(reader: PatternReader, content: ClassContent): void {
  let codePoint = reader.peek()
  if (codePoint === BACKSLASH) {
    const letter = reader.nextVerbatim()
    const isProperty = letter === 0x70 || letter === 0x50
    if (isProperty) {
      content.last = readProperty(reader)
      content.classes.add(content.last)
      return
    }
    const isRange = reader.at(reader.cursor + 1) === HYPHEN
    reader.unread()
    const escape = readClassEscape(reader, isRange)
    if (escape.kind === 'class') {
      content.last = escape.set
      content.classes.add(escape.set)
      return
    }
    if (escape.kind === 'codePoint') codePoint = escape.codePoint
  } else {
    reader.next()
  }
  addCharacters(reader, content, codePoint)
}

function addCharacters(reader: PatternReader, content: ClassContent, first: number): void {
  const afterHyphen = reader.peek() === HYPHEN ? reader.at(reader.cursor + 1) : CLOSE
  if (afterHyphen !== CLOSE && afterHyphen !== OPEN) {
    content.last = rangeSet(first, readRangeEnd(reader, first), reader.flags)
    content.classes.add(content.last)
  } else if (joinsCharacters(first, reader.flags)) {
    content.last = undefined
    content.characters = (content.characters ?? NO_CODE_POINTS).union(characterSet(first, reader.flags))
  } else {
    content.last = characterSet(first, reader.flags)
    content.classes.add(content.last)
  }
}

function readRangeEnd(reader: PatternReader, first: number): number {
  let last = reader.next()
  if (last === BACKSLASH) {
    const escape = readClassEscape(reader, true)
    last = escape.kind === 'codePoint' ? escape.codePoint : -1
  } else {
    reader.next()
  }
  if (last < first) throw reader.error('Illegal character range')
  return last
}

/** Java keeps characters below 256 in a bit set of the class, unless they equal a higher character in another case. */
function joinsCharacters(codePoint: number, flags: number): boolean {
  const bothCases = PatternFlag.CaseInsensitive | PatternFlag.UnicodeCase
  if (codePoint > 0xff) return false
  return (flags & bothCases) !== bothCases || !'ÿµIiSsKkÅå'.includes(String.fromCodePoint(codePoint))
}

/** Reads \p or \P and what follows; the cursor is at the letter. */
export function readProperty(reader: PatternReader): CodePointSet {
  const isComplement = reader.at(reader.cursor) === 0x50
  const isBraced = reader.next() === OPEN_BRACE
  if (!isBraced) reader.unread()
  reader.next()
  const name = isBraced ? readBracedName(reader) : String.fromCodePoint(reader.at(reader.cursor))
  if (!isBraced) reader.read()
  const set = propertyClass(reader, name)
  return isComplement ? set.complement() : set
}

function readBracedName(reader: PatternReader): string {
  const begin = reader.cursor
  let codePoint: number
  do {
    if (reader.isAtEnd) {
      reader.cursor++
      throw reader.error('Unclosed character family')
    }
    codePoint = reader.read()
  } while (codePoint !== CLOSE_BRACE)
  const end = reader.cursor - 1
  if (end === begin) throw reader.error('Empty character family')
  return reader.codePoints
    .slice(begin, end)
    .map((letter) => String.fromCodePoint(letter))
    .join('')
}

function propertyClass(reader: PatternReader, name: string): CodePointSet {
  const ignoreCase = reader.has(PatternFlag.CaseInsensitive)
  const equals = name.indexOf('=')
  if (equals === -1) {
    const set = namedClass(name, ignoreCase, reader.has(PatternFlag.UnicodeCharacterClass))
    if (set === undefined) throw reader.error(`Unknown character property name {${name}}`)
    return set
  }
  const property = name.slice(0, equals).toLowerCase()
  const value = name.slice(equals + 1)
  const set = valuedClass(property, value, ignoreCase)
  if (set === undefined) throw reader.error(`Unknown Unicode property {name=<${property}>, value=<${value}>}`)
  return set
}
