import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileJavaRegex } from '../../../src/filter/regex/java-regex.ts'
import { linearPattern } from '../../../src/filter/regex/linear-pattern.ts'
import { LinearSearch } from '../../../src/filter/regex/linear-search.ts'
import { parsePattern } from '../../../src/filter/regex/pattern-parser.ts'
import { ProgramThreads } from '../../../src/filter/regex/program-threads.ts'
import { re2 } from '../../../src/filter/regex/re2.ts'
import { internalsOf } from '../../../src/filter/regex/re2-internals.ts'
import { SearchBudget } from '../../../src/filter/regex/search-budget.ts'
import { isPause, Turn } from '../../../src/filter/turns/turn.ts'

const patterns = fc.letrec<{ pattern: string }>((tie) => ({
  pattern: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '\\n', '\\b', '\\B', '^', '\\z', '', 'é', '😀'),
    fc.tuple(tie('pattern'), tie('pattern')).map(([left, right]) => `${left}${right}`),
    fc.tuple(tie('pattern'), tie('pattern')).map(([left, right]) => `(?:${left}|${right})`),
    fc
      .tuple(tie('pattern'), fc.constantFrom('*', '+', '?', '{2}', '{0,2}'))
      .map(([item, quantifier]) => `(?:${item})${quantifier}`),
  ),
})).pattern
const texts = fc.string({ unit: fc.constantFrom('a', 'b', '\n', ' ', 'é', '😀', '\ud83d'), maxLength: 8 })

describe('a search of a long text', () => {
  it('finds what RE2 finds, by its automaton and by its instructions', () => {
    fc.assert(
      fc.property(patterns, fc.array(texts, { maxLength: 6 }), (pattern, samples) => {
        const linear = linearPattern(parsePattern(pattern, 0).root)
        fc.pre(linear !== undefined)
        const engine = re2().RE2JS.compile(linear.text)
        for (const text of samples) {
          for (const whole of [false, true]) {
            const expected = whole ? engine.testExact(text) : engine.test(text)
            const search = new LinearSearch(engine, text, whole)
            while (search.found === undefined) search.next(1)
            const threads = new ProgramThreads(internalsOf(engine).prog, text, whole)
            while (threads.found === undefined) threads.step()
            expect([text, whole, search.found, threads.found]).toEqual([text, whole, expected, expected])
          }
        }
      }),
      { numRuns: 100 },
    )
  })

  it('pauses with the turn, and finds the same', () => {
    let ms = 0
    const turn = new Turn(() => (ms += 5), 0)
    const budget = new SearchBudget(turn)
    const text = `${'ab'.repeat(100_000)}c\n`
    for (const [pattern, expected] of [
      ['(?:a|b)*c$', true],
      ['[^c]{50}d', false],
      ['(?=a)(?:a|b)*c$', true],
      ['^(?!b).*d', false],
    ] as const) {
      const regex = compileJavaRegex(pattern, 0)
      let pauses = 0
      for (;;) {
        turn.begin(20)
        try {
          expect([pattern, regex.find(text, budget)]).toEqual([pattern, expected])
          break
        } catch (error) {
          if (!isPause(error)) throw error
          pauses++
        }
      }
      expect(pauses).toBeGreaterThan(1)
    }
  })

  it('is refused beyond a number of steps', () => {
    const engine = re2().RE2JS.compile('(a|b|c)*a[abc]{900}[^abc]')
    const text = Array.from(
      { length: 40_000 },
      (_, i) => 'abc'[Math.imul(i * i, 2_654_435_761) >>> 30] ?? 'a',
    ).join('')
    const search = new LinearSearch(engine, text, false, 1_000_000)
    const finish = (): void => {
      while (search.found === undefined) search.next(1000)
    }
    expect(finish).toThrow('more than 1000000 steps on one text')
  })
})
