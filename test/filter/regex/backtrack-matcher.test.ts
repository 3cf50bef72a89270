import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  BACKTRACK_CHOICES_MAX,
  BACKTRACK_STEPS_MAX,
  BACKTRACK_STEPS_PER_CHARACTER,
} from '../../../src/filter/regex/backtrack-limits.ts'
import { BacktrackMatcher } from '../../../src/filter/regex/backtrack-matcher.ts'
import { compileProgram } from '../../../src/filter/regex/backtrack-program.ts'
import { CLASS_DEPTH_MAX } from '../../../src/filter/regex/character-class.ts'
import { compileJavaRegex } from '../../../src/filter/regex/java-regex.ts'
import { linearPattern } from '../../../src/filter/regex/linear-pattern.ts'
import { GROUP_DEPTH_MAX, parsePattern } from '../../../src/filter/regex/pattern-parser.ts'
import { SearchBudget } from '../../../src/filter/regex/search-budget.ts'

const refusal = (detail: object): unknown =>
  expect.objectContaining({ name: 'HBaseError', code: 'DO_NOT_RETRY', detail })

test.each(['(?!x)(a*)*b', '(a*)*\\1b', '(?:(?=a)a|a)*b', '(?>(?:a+)+b)'])('%s is stopped', (pattern) => {
  const text = 'a'.repeat(60)
  const limit = BACKTRACK_STEPS_MAX + BACKTRACK_STEPS_PER_CHARACTER * text.length
  expect(() => compileJavaRegex(pattern, 0).find(text)).toThrow(refusal({ what: 'steps', limit }))
})

test('a search that was stopped leaves the next one alone', () => {
  const regex = compileJavaRegex('(?!x)(a*)*b', 0)
  expect(() => regex.find('a'.repeat(60))).toThrow(refusal({ what: 'steps', limit: expect.any(Number) }))
  expect(regex.find('aab')).toBe(true)
  expect(regex.find('c')).toBe(false)
})

test('choices are bounded', () => {
  const text = 'a'.repeat(BACKTRACK_CHOICES_MAX / 2)
  expect(() => compileJavaRegex('(?!x)(?:a|b)*c', 0).find(text)).toThrow(
    refusal({ what: 'choices', limit: BACKTRACK_CHOICES_MAX }),
  )
})

test.each(['(a+)+b', '(?:a|aa)+b', '(a|a)*b', '^(?:a?){60}a{60}b'])('%s takes no time', (pattern) => {
  expect(compileJavaRegex(pattern, 0).find('a'.repeat(5000))).toBe(false)
})

const nested = (open: string, close: string, depth: number): string =>
  `${open.repeat(depth)}a${close.repeat(depth)}`
const error = (description: string): unknown =>
  expect.objectContaining({ code: 'ILLEGAL_ARGUMENT', message: expect.stringContaining(description) })

test('nesting is bounded, length is not', () => {
  expect(compileJavaRegex(nested('(', ')', GROUP_DEPTH_MAX), 0).matches('a')).toBe(true)
  expect(compileJavaRegex(nested('(?>', ')', GROUP_DEPTH_MAX), 0).matches('a')).toBe(true)
  expect(() => compileJavaRegex(nested('(', ')', 60_000), 0)).toThrow(error('nested deeper than 250'))
  expect(compileJavaRegex(nested('[', ']', CLASS_DEPTH_MAX), 0).matches('a')).toBe(true)
  expect(() => compileJavaRegex(nested('[', ']', 60_000), 0)).toThrow(error('nested deeper than 100'))
  expect(compileJavaRegex('(a)?'.repeat(1000), 0).matches('aaa')).toBe(true)
  expect(compileJavaRegex('a|'.repeat(5000), 0).matches('a')).toBe(true)
  expect(compileJavaRegex('(?:a|b){2147483647}', 0).find('ab')).toBe(false)
  expect(compileJavaRegex('(?:){2147483647}', 0).find('')).toBe(true)
})

/** Patterns that RE2 can express, of characters that occur in the texts. */
const patterns = fc.letrec<{ pattern: string }>((tie) => ({
  pattern: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '\\n', '\\R', '\\b', '\\B', '^', '\\z', '', 'é'),
    fc.tuple(tie('pattern'), tie('pattern')).map(([left, right]) => `${left}${right}`),
    fc.tuple(tie('pattern'), tie('pattern')).map(([left, right]) => `(?:${left}|${right})`),
    fc
      .tuple(tie('pattern'), fc.constantFrom('*', '+', '?', '{2}', '{0,2}', '{2,}', '*?', '??'))
      .map(([item, quantifier]) => `(${item})${quantifier}`),
  ),
})).pattern
const texts = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '\r', ' ', 'é'), maxLength: 8 })

test('property: backtracking finds what RE2 finds', () => {
  fc.assert(
    fc.property(
      patterns,
      fc.constantFrom('', '$'),
      fc.array(texts, { maxLength: 6 }),
      (body, end, samples) => {
        const parsed = parsePattern(`${body}${end}`, 0)
        fc.pre(linearPattern(parsed.root) !== undefined)
        const linear = compileJavaRegex(`${body}${end}`, 0)
        const matcher = new BacktrackMatcher(compileProgram(parsed), undefined, false)
        for (const text of samples) {
          expect([text, linear.find(text)]).toEqual([text, matcher.find(text, new SearchBudget())])
          expect([text, linear.matches(text)]).toEqual([text, matcher.matches(text, new SearchBudget())])
        }
      },
    ),
    { numRuns: 100 },
  )
})
