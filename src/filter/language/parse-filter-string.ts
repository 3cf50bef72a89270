/**
 * Filters as text: `PrefixFilter('row') AND (QualifierFilter(>=, 'binary:a') OR SKIP ValueFilter(=, 'substring:x'))`.
 * HBase: ParseFilter, whose behaviour differs from its documented grammar: AND and OR must stand between spaces or
 * parentheses, and only a space or a tab is white space.
 * QUIRK filter-grammar-prefix-ab-5ce063: an opening parenthesis need not be closed.
 */

import type { Filter } from '../../model/filter.ts'
import { atOnce, type Steps } from '../../model/steps.ts'
import { FilterParts } from '../schema/filter-parts.ts'
import { ArgumentList } from './argument-list.ts'
import { readFilterExpression } from './filter-expression.ts'
import { FilterStack, type Keyword } from './filter-stack.ts'
import { namedFilters } from './named-filters.ts'
import { syntaxError } from './syntax-error.ts'

const TAB = 0x09
const SPACE = 0x20
const LEFT = 0x28
const RIGHT = 0x29

/** Keywords, filters and spaces that are read in a step. */
const STEP_PARTS = 64

interface KeywordBytes {
  readonly word: Keyword
  readonly bytes: Buffer
  /** Whether the word may stand at the beginning of the text or behind an opening parenthesis. */
  readonly isPrefix: boolean
}

const KEYWORDS: readonly KeywordBytes[] = [
  { word: 'OR', bytes: Buffer.from('OR'), isPrefix: false },
  { word: 'AND', bytes: Buffer.from('AND'), isPrefix: false },
  { word: 'SKIP', bytes: Buffer.from('SKIP'), isPrefix: true },
  { word: 'WHILE', bytes: Buffer.from('WHILE'), isPrefix: true },
]

/**
 * Throws ILLEGAL_ARGUMENT with HBase's words, what was expected and the character at which it was, and also for filters
 * that nest more than FILTER_DEPTH_MAX deep or have too many parts. The tree shares the bytes of `text`.
 */
export function parseFilterString(text: Buffer): Filter {
  return atOnce(filterStringInSteps(text))
}

/** As parseFilterString. */
export function* filterStringInSteps(text: Buffer): Steps<Filter> {
  const parts = new FilterParts()
  const stack = new FilterStack(text)
  let at = 0
  for (let read = 1; at < text.length; read++) {
    if (read % STEP_PARTS === 0) yield
    const byte = text[at]
    if (byte === SPACE || byte === TAB) {
      at++
    } else if (byte === LEFT) {
      parts.add()
      stack.openParenthesis(at++)
    } else if (byte === RIGHT) {
      stack.closeParenthesis(at++)
    } else {
      const keyword = keywordAt(text, at)
      parts.add()
      if (keyword !== undefined) {
        stack.keyword(keyword.word, at)
        at += keyword.bytes.length
        continue
      }
      const expression = yield* readFilterExpression(text, at, parts)
      const build = namedFilters.get(expression.name)
      if (build === undefined) {
        const expected = `one of ${[...namedFilters.keys()].join(', ')}`
        throw syntaxError(`Filter Name ${expression.name} not supported`, text, at, expected)
      }
      stack.filter(yield* build(new ArgumentList(expression)), at)
      at = expression.end
    }
  }
  return stack.finish()
}

function keywordAt(text: Buffer, at: number): KeywordBytes | undefined {
  for (const keyword of KEYWORDS) {
    const { bytes, isPrefix } = keyword
    const end = at + bytes.length
    if (text[at] !== bytes[0] || end >= text.length || bytes.compare(text, at, end) !== 0) continue
    const before = at === 0 ? undefined : text[at - 1]
    const after = text[end]
    const begins = before === SPACE || before === RIGHT || (isPrefix && (at === 0 || before === LEFT))
    return begins && (after === SPACE || after === LEFT) ? keyword : undefined
  }
  return undefined
}
