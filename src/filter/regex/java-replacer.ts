/** Replaces matches as java.util.regex.Matcher does: with `$1` and `${name}` for groups, and a backslash before any character as it is. */

import { HBaseError } from '../../model/errors.ts'
import { BacktrackMatcher, type MatchBounds } from './backtrack-matcher.ts'
import { compileProgram } from './backtrack-program.ts'
import { type ParsedPattern, parsePattern } from './pattern-parser.ts'
import { isAnchored, startSet } from './pattern-start.ts'
import { SearchBudget } from './search-budget.ts'

export class JavaReplacer {
  readonly #pattern: ParsedPattern
  readonly #matcher: BacktrackMatcher

  /** Throws ILLEGAL_ARGUMENT with the message of Java's PatternSyntaxException. */
  constructor(pattern: string) {
    this.#pattern = parsePattern(pattern, 0)
    const { root } = this.#pattern
    this.#matcher = new BacktrackMatcher(compileProgram(this.#pattern), startSet(root), isAnchored(root))
  }

  /**
   * Java: Matcher.replaceFirst, or replaceAll with `all`. Throws ILLEGAL_ARGUMENT for a replacement that names no group of the pattern, as
   * Java does only where something matches; DO_NOT_RETRY where the search takes too many steps.
   */
  replace(text: string, replacement: string, all: boolean): string {
    const budget = new SearchBudget()
    let replaced = ''
    let done = 0
    let from = 0
    while (from <= text.length) {
      const bounds = this.#matcher.matchFrom(text, from, budget)
      if (bounds === undefined) break
      const [begin = 0, end = 0] = bounds
      replaced += text.slice(done, begin) + this.#expanded(replacement, text, bounds)
      done = end
      // Java looks for the next match one character behind an empty one.
      from = end === begin ? end + 1 : end
      if (!all) break
    }
    return replaced + text.slice(done)
  }

  #expanded(replacement: string, text: string, bounds: MatchBounds): string {
    let expanded = ''
    for (let at = 0; at < replacement.length; ) {
      const character = replacement[at]!
      if (character === '\\') {
        if (at + 1 === replacement.length) throw invalid('character to be escaped is missing')
        expanded += replacement[at + 1]
        at += 2
      } else if (character === '$') {
        const { group, end } = this.#groupAt(replacement, at + 1)
        const begin = bounds[2 * group]!
        if (begin >= 0) expanded += text.slice(begin, bounds[2 * group + 1])
        at = end
      } else {
        expanded += character
        at++
      }
    }
    return expanded
  }

  /** The group that a reference names, and the end of the reference. */
  #groupAt(replacement: string, at: number): { readonly group: number; readonly end: number } {
    const { captureCount, captureNames } = this.#pattern
    if (at === replacement.length) throw invalid('Illegal group reference: group index is missing')
    if (replacement[at] === '{') {
      const [whole, name] = /^\{([A-Za-z][A-Za-z0-9]*)\}/.exec(replacement.slice(at)) ?? []
      if (whole === undefined || name === undefined)
        throw invalid('named capturing group is missing its name')
      const group = captureNames.get(name)
      if (group === undefined) throw invalid(`No group with name {${name}}`)
      return { group, end: at + whole.length }
    }
    if (!isDigit(replacement[at])) throw invalid('Illegal group reference')
    let group = Number(replacement[at])
    let end = at + 1
    // Further digits belong to the number as long as the pattern has such a group.
    while (isDigit(replacement[end]) && group * 10 + Number(replacement[end]) <= captureCount)
      group = group * 10 + Number(replacement[end++])
    if (group > captureCount) throw invalid(`No group ${group}`)
    return { group, end }
  }
}

function isDigit(character: string | undefined): boolean {
  return character !== undefined && character >= '0' && character <= '9'
}

function invalid(reason: string): HBaseError {
  return new HBaseError('ILLEGAL_ARGUMENT', `the replacement of a regular expression: ${reason}`)
}
