import type { CaptureGroups } from './capture-groups.ts'
import { characterSet } from './case-folding.ts'
import { readClass, readProperty } from './character-class.ts'
import { ALL_CODE_POINTS } from './code-point-set.ts'
import { assertion, digitOf, readEscape, readName } from './escape-sequence.ts'
import { PatternFlag } from './pattern-flags.ts'
import { EMPTY_PATTERN, type PatternNode, REPEAT_MAX, type RepeatNode } from './pattern-node.ts'
import { PatternReader } from './pattern-reader.ts'
import { study } from './pattern-study.ts'
import { LINE_FEED, LINE_TERMINATORS } from './predefined-classes.ts'
import { withoutQuotes } from './quoted-pattern.ts'

/** Groups may nest so deep: a pattern comes from a client, and a parser of it must not use up the stack. */
export const GROUP_DEPTH_MAX = 250

/** A pattern's tree and how many groups of it capture. */
export interface ParsedPattern {
  readonly root: PatternNode
  readonly captureCount: number
  /** The numbers of the groups that have a name. */
  readonly captureNames: ReadonlyMap<string, number>
}

/** Parses as java.util.regex does. Throws ILLEGAL_ARGUMENT with the message of Java's PatternSyntaxException. */
export function parsePattern(pattern: string, flags: number): ParsedPattern {
  if ((flags & PatternFlag.Literal) !== 0) {
    const items = Array.from(pattern, (character): PatternNode => {
      return { kind: 'characters', set: characterSet(character.codePointAt(0)!, flags) }
    })
    return { root: { kind: 'sequence', items }, captureCount: 0, captureNames: new Map() }
  }
  return new PatternParser(new PatternReader(pattern, withoutQuotes(pattern), flags)).parse()
}

const FLAGS: ReadonlyMap<number, number> = new Map(
  Object.entries({
    i: PatternFlag.CaseInsensitive,
    m: PatternFlag.Multiline,
    s: PatternFlag.Dotall,
    d: PatternFlag.UnixLines,
    u: PatternFlag.UnicodeCase,
    c: PatternFlag.CanonEq,
    x: PatternFlag.Comments,
    U: PatternFlag.UnicodeCharacterClass | PatternFlag.UnicodeCase,
  }).map(([letter, flag]) => [letter.codePointAt(0)!, flag]),
)

const code = (character: string): number => character.codePointAt(0)!
const NOT_LINE_FEED = LINE_FEED.complement()
const NOT_LINE_TERMINATOR = LINE_TERMINATORS.complement()

class PatternParser {
  readonly #reader: PatternReader
  readonly #groups: CaptureGroups = { count: 0, byName: new Map() }
  #depth = 0

  constructor(reader: PatternReader) {
    this.#reader = reader
  }

  parse(): ParsedPattern {
    const root = this.#expression()
    if (!this.#reader.isAtEnd) {
      const isClosing = this.#reader.peek() === code(')')
      throw this.#reader.error(isClosing ? "Unmatched closing ')'" : 'Unexpected internal error')
    }
    return { root, captureCount: this.#groups.count, captureNames: this.#groups.byName }
  }

  #expression(): PatternNode {
    const items = [this.#sequence()]
    while (this.#reader.peek() === code('|')) {
      this.#reader.next()
      items.push(this.#sequence())
    }
    return items.length === 1 ? items[0]! : { kind: 'alternatives', items }
  }

  #sequence(): PatternNode {
    const items: PatternNode[] = []
    for (;;) {
      const codePoint = this.#reader.peek()
      if (codePoint === code('|') || codePoint === code(')')) break
      if (codePoint === 0 && this.#reader.isAtEnd) break
      const item = codePoint === code('(') ? this.#group() : this.#quantified(this.#atom(codePoint))
      if (item !== undefined) items.push(item)
    }
    return items.length === 1 ? items[0]! : { kind: 'sequence', items }
  }

  #atom(codePoint: number): PatternNode {
    const reader = this.#reader
    switch (String.fromCodePoint(codePoint)) {
      case '[':
        return { kind: 'characters', set: readClass(reader) }
      case '\\':
        return this.#escape()
      case '^':
        reader.next()
        return assertion(reader, reader.has(PatternFlag.Multiline) ? 'lineBegin' : 'begin')
      case '$':
        reader.next()
        return assertion(reader, reader.has(PatternFlag.Multiline) ? 'lineEnd' : 'endOrFinalTerminator')
      case '.':
        reader.next()
        return { kind: 'characters', set: this.#anyCharacter() }
      case '?':
      case '*':
      case '+':
        reader.next()
        throw reader.error(`Dangling meta character '${String.fromCodePoint(codePoint)}'`)
      case '{':
        // Java accepts a repetition of nothing.
        return EMPTY_PATTERN
      default:
        reader.next()
        return { kind: 'characters', set: characterSet(codePoint, reader.flags) }
    }
  }

  #anyCharacter(): typeof ALL_CODE_POINTS {
    if (this.#reader.has(PatternFlag.Dotall)) return ALL_CODE_POINTS
    return this.#reader.has(PatternFlag.UnixLines) ? NOT_LINE_FEED : NOT_LINE_TERMINATOR
  }

  #escape(): PatternNode {
    const letter = this.#reader.nextVerbatim()
    if (letter === code('p') || letter === code('P'))
      return { kind: 'characters', set: readProperty(this.#reader) }
    this.#reader.unread()
    if (this.#reader.cursor + 1 >= this.#reader.codePoints.length) {
      this.#reader.cursor += 2
      throw this.#reader.error('Unexpected internal error')
    }
    const escape = readEscape(this.#reader, this.#groups)
    switch (escape.kind) {
      case 'class':
        return { kind: 'characters', set: escape.set }
      case 'codePoint':
        return { kind: 'characters', set: characterSet(escape.codePoint, this.#reader.flags) }
      case 'node':
        return escape.node
    }
  }

  /** Reads a construct that begins with a parenthesis; undefined: it only changed flags. */
  #group(): PatternNode | undefined {
    const { flags } = this.#reader
    if (++this.#depth > GROUP_DEPTH_MAX)
      throw this.#reader.error(`Groups are nested deeper than ${GROUP_DEPTH_MAX}`)
    const isSpecial = this.#reader.next() === code('?')
    const group = isSpecial ? this.#specialGroup() : this.#capture(undefined)
    this.#depth--
    if (group === undefined) return undefined
    this.#reader.expect(code(')'), 'Unclosed group')
    this.#reader.flags = flags
    return this.#quantified(group)
  }

  #capture(name: string | undefined): PatternNode {
    const capture = ++this.#groups.count
    if (name !== undefined) this.#groups.byName.set(name, capture)
    return { kind: 'group', item: this.#expression(), capture }
  }

  #specialGroup(): PatternNode | undefined {
    const reader = this.#reader
    const kind = String.fromCodePoint(reader.skip())
    switch (kind) {
      case ':':
        return { kind: 'group', item: this.#expression(), capture: undefined }
      case '=':
      case '!':
        return { kind: 'lookAhead', item: this.#expression(), negative: kind === '!' }
      case '>':
        return { kind: 'atomic', item: this.#expression() }
      case '<':
        return this.#lookBehindOrName()
      case '$':
      case '@':
        throw reader.error('Unknown group type')
      default:
        return this.#flagGroup()
    }
  }

  #lookBehindOrName(): PatternNode {
    const reader = this.#reader
    const first = reader.read()
    if (first === code('=') || first === code('!')) {
      const begin = reader.cursor
      const item = this.#expression()
      const { min, max, hasMax } = study(item)
      if (!hasMax) throw reader.error('Look-behind group does not have an obvious maximum length')
      const isSurrogateAware = reader.lastSupplementary >= begin
      return { kind: 'lookBehind', item, negative: first === code('!'), min, max, isSurrogateAware }
    }
    const name = readName(reader, first)
    if (this.#groups.byName.has(name))
      throw reader.error(`Named capturing group <${name}> is already defined`)
    return this.#capture(name)
  }

  #flagGroup(): PatternNode | undefined {
    const reader = this.#reader
    reader.unread()
    if (this.#changeFlags(true) === code('-')) {
      reader.next()
      this.#changeFlags(false)
    }
    const codePoint = reader.read()
    if (codePoint === code(')')) return undefined
    if (codePoint !== code(':')) throw reader.error('Unknown inline modifier')
    return { kind: 'group', item: this.#expression(), capture: undefined }
  }

  /** Turns the flags at the cursor on or off; the code point after them. */
  #changeFlags(on: boolean): number {
    const reader = this.#reader
    let codePoint = reader.peek()
    for (let flag = FLAGS.get(codePoint); flag !== undefined; flag = FLAGS.get(codePoint)) {
      reader.flags = on ? reader.flags | flag : reader.flags & ~flag
      codePoint = reader.next()
    }
    return codePoint
  }

  /** The item with the quantifier that follows it, if there is one. */
  #quantified(item: PatternNode): PatternNode {
    switch (String.fromCodePoint(this.#reader.peek())) {
      case '?':
        return this.#repeat(item, 0, 1)
      case '*':
        return this.#repeat(item, 0, REPEAT_MAX)
      case '+':
        return this.#repeat(item, 1, REPEAT_MAX)
      case '{':
        return this.#counted(item)
      default:
        return item
    }
  }

  #counted(item: PatternNode): PatternNode {
    const reader = this.#reader
    const first = reader.skip()
    if (digitOf(first) === -1) throw reader.error('Illegal repetition')
    const [min, afterMin] = this.#number(first)
    let max = min
    let last = afterMin
    if (afterMin === code(',')) {
      const next = reader.read()
      if (next === code('}')) [max, last] = [REPEAT_MAX, next]
      else [max, last] = this.#number(next)
    }
    if (last !== code('}')) throw reader.error('Unclosed counted closure')
    if (max < min) throw reader.error('Illegal repetition range')
    reader.unread()
    return this.#repeat(item, min, max)
  }

  /** A decimal number, of which the first digit is taken already, and the code point after it. */
  #number(first: number): [value: number, after: number] {
    let value = 0
    let codePoint = first
    for (; digitOf(codePoint) !== -1; codePoint = this.#reader.read()) {
      value = value * 10 + digitOf(codePoint)
      if (value > REPEAT_MAX) throw this.#reader.error('Illegal repetition range')
    }
    return [value, codePoint]
  }

  /** Reads the suffix of a quantifier; the cursor is at the quantifier's last character. */
  #repeat(item: PatternNode, min: number, max: number): RepeatNode {
    const suffix = String.fromCodePoint(this.#reader.next())
    if (suffix === '?' || suffix === '+') this.#reader.next()
    const suffixed = suffix === '+' ? 'possessive' : 'greedy'
    return { kind: 'repeat', item, min, max, mode: suffix === '?' ? 'reluctant' : suffixed }
  }
}
