import type { RE2JS } from 're2js'
import { HBaseError } from '../../model/errors.ts'
import { BacktrackMatcher } from './backtrack-matcher.ts'
import { compileProgram } from './backtrack-program.ts'
import { CanonicalText, canonicalText } from './canonical-text.ts'
import { type LinearPattern, linearPattern } from './linear-pattern.ts'
import { LinearSearch } from './linear-search.ts'
import { checkedFlags, PatternFlag } from './pattern-flags.ts'
import { type ParsedPattern, parsePattern } from './pattern-parser.ts'
import { isAnchored, startSet } from './pattern-start.ts'
import { re2 } from './re2.ts'
import { internalsOf } from './re2-internals.ts'
import { SearchBudget } from './search-budget.ts'
import { finalTerminator } from './text-assertion.ts'

/**
 * A compiled pattern of java.util.regex. RE2 matches the patterns that it can express, in time proportional to the text;
 * look-arounds, back-references and the like backtrack, and throw DO_NOT_RETRY if the search would take too long.
 */
export interface JavaRegex {
  /** Whether some part of the text matches. Java: Matcher.find. `budget`: of the row's searches; else of this one. */
  find(text: string, budget?: SearchBudget): boolean
  /** Whether the whole text matches. Java: Matcher.matches. */
  matches(text: string, budget?: SearchBudget): boolean
}

/** Characters that a pattern may have: it is from a client, and its tree takes some hundred bytes for each. */
export const PATTERN_LENGTH_MAX: number = 1 << 17

/**
 * Compiles as Java's Pattern.compile(pattern, flags) does. Throws ILLEGAL_ARGUMENT with the message of Java's
 * PatternSyntaxException for an invalid pattern, and for a pattern of more than PATTERN_LENGTH_MAX characters.
 */
export function compileJavaRegex(pattern: string, flags: number): JavaRegex {
  if (pattern.length > PATTERN_LENGTH_MAX) {
    const message = `a regular expression has at most ${PATTERN_LENGTH_MAX} characters, not ${pattern.length}`
    throw new HBaseError('ILLEGAL_ARGUMENT', message)
  }
  const checked = checkedFlags(flags)
  if ((checked & PatternFlag.CanonEq) === 0) return compile(parsePattern(pattern, checked))
  return new CanonicalRegex(compile(parsePattern(canonicalText(pattern), checked)))
}

/** Units of a turn that a piece of text costs which is made canonical. */
const CANONICAL_UNITS = 2048

/** Matches the composed form of a text, of which a search that pauses makes one. */
class CanonicalRegex implements JavaRegex {
  readonly #regex: JavaRegex

  constructor(regex: JavaRegex) {
    this.#regex = regex
  }

  find(text: string, budget: SearchBudget = new SearchBudget()): boolean {
    return this.#ofCanonical(text, budget, (composed) => this.#regex.find(composed, budget))
  }

  matches(text: string, budget: SearchBudget = new SearchBudget()): boolean {
    return this.#ofCanonical(text, budget, (composed) => this.#regex.matches(composed, budget))
  }

  #ofCanonical(text: string, { turn }: SearchBudget, search: (composed: string) => boolean): boolean {
    return turn.keeping(
      this,
      () => ({ canonical: new CanonicalText(text), composed: undefined as string | undefined }),
      (kept) => {
        while (kept.composed === undefined) {
          kept.composed = kept.canonical.composed
          if (kept.composed !== undefined) break
          kept.canonical.next()
          turn.spend(CANONICAL_UNITS)
        }
        return search(kept.composed)
      },
    )
  }
}

function compile(pattern: ParsedPattern): JavaRegex {
  const linear = linearPattern(pattern.root)
  return linear === undefined ? new BacktrackRegex(pattern) : new LinearRegex(linear, pattern)
}

/** Characters of a text times instructions of a pattern that RE2 looks at in one piece: a few milliseconds' work. */
const AT_ONCE_MAX = 1 << 17
/** Steps of a search between two looks at the turn. */
const PIECE_STEPS = 1 << 14
const NOT_ASCII = /\P{ASCII}/u

class LinearRegex implements JavaRegex {
  readonly #linear: LinearPattern
  readonly #backtrack: BacktrackRegex
  /** Compiled when it is first needed; null: RE2 finds the pattern too large. */
  #re2: RE2JS | null | undefined

  constructor(linear: LinearPattern, pattern: ParsedPattern) {
    this.#linear = linear
    this.#backtrack = new BacktrackRegex(pattern)
  }

  find(text: string, budget?: SearchBudget): boolean {
    const re2 = this.#engineFor(text)
    if (re2 === null) return this.#backtrack.find(text, budget)
    if (isLong(text, re2)) return this.#inPieces(re2, text, false, budget)
    if (re2.test(text)) return true
    const end = this.#otherEnd(text)
    return end !== -1 && re2.test(text.slice(0, end))
  }

  matches(text: string, budget?: SearchBudget): boolean {
    const re2 = this.#engineFor(text)
    if (re2 === null) return this.#backtrack.matches(text, budget)
    return isLong(text, re2) ? this.#inPieces(re2, text, true, budget) : re2.testExact(text)
  }

  /** Where the text ends without its final terminator, if the pattern may match before that; else -1. */
  #otherEnd(text: string): number {
    const terminator = this.#linear.finalTerminator
    return terminator === 'none' ? -1 : finalTerminator(text, terminator === 'lineFeed')
  }

  #inPieces(re2: RE2JS, text: string, whole: boolean, budget = new SearchBudget()): boolean {
    const { turn } = budget
    return turn.keeping(
      this,
      () => ({ search: new LinearSearch(re2, text, whole), isLast: whole }),
      (work) => {
        for (;;) {
          while (work.search.found === undefined) {
            turn.spendBytes(PIECE_STEPS)
            work.search.next(PIECE_STEPS)
          }
          const end = work.search.found || work.isLast ? -1 : this.#otherEnd(text)
          if (end === -1) return work.search.found
          work.search = new LinearSearch(re2, text.slice(0, end), false)
          work.isLast = true
        }
      },
    )
  }

  #engineFor(text: string): RE2JS | null {
    if (this.#linear.asciiOnly && NOT_ASCII.test(text)) return null
    if (this.#re2 === undefined) this.#re2 = compileLinear(this.#linear)
    return this.#re2
  }
}

/** Whether a search may take longer than a piece of work should. */
function isLong({ length }: string, re2: RE2JS): boolean {
  return length * internalsOf(re2).prog.numInst() > AT_ONCE_MAX
}

function compileLinear(linear: LinearPattern): RE2JS | null {
  const { RE2JS, RE2JSException } = re2()
  try {
    return RE2JS.compile(linear.text)
  } catch (error) {
    if (error instanceof RE2JSException) return null
    throw error
  }
}

/** Compiles its program when it is first needed. */
class BacktrackRegex implements JavaRegex {
  readonly #pattern: ParsedPattern
  #matcher: BacktrackMatcher | undefined

  constructor(pattern: ParsedPattern) {
    this.#pattern = pattern
  }

  find(text: string, budget = new SearchBudget()): boolean {
    return this.#compiled.find(text, budget)
  }

  matches(text: string, budget = new SearchBudget()): boolean {
    return this.#compiled.matches(text, budget)
  }

  get #compiled(): BacktrackMatcher {
    const { root } = this.#pattern
    this.#matcher ??= new BacktrackMatcher(compileProgram(this.#pattern), startSet(root), isAnchored(root))
    return this.#matcher
  }
}
