import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CanonicalText, canonicalText } from '../../../src/filter/regex/canonical-text.ts'
import { compileJavaRegex } from '../../../src/filter/regex/java-regex.ts'
import { SearchBudget } from '../../../src/filter/regex/search-budget.ts'
import { isPause, Turn } from '../../../src/filter/turns/turn.ts'

const CANON_EQ = 128
/** Marks that have to be put in order, two by two. */
const MARKS = '\u0301\u0323'

describe('the composed form of a text', () => {
  it('is that of the whole text', () => {
    const part = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.constantFrom('e\u0301', 'a', MARKS, '\u1100\u1161\u11a8', '\u{1d15e}', '漢字', '가\u11a8', '\u0344'),
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 60 }), fc.nat(200), (parts, repeats) => {
        const text = parts.join('').repeat(repeats).slice(0, 6_000)
        // A run without a place where a piece can end is cut.
        fc.pre(!/[^\0-\u02ff\u1100-\u1112\u3400-\u9fff\uac00-\ud7a3]{1024}/.test(text))
        expect(canonicalText(text)).toBe(text.normalize('NFC'))
      }),
      { numRuns: 40 },
    )
  })

  it('is made in short pieces, however many marks follow each other', () => {
    const canonical = new CanonicalText(`e${MARKS.repeat(50_000)}`)
    let pieces = 0
    for (; canonical.composed === undefined; pieces++) canonical.next()
    expect(canonical.composed.length).toBeGreaterThan(90_000)
    expect(pieces).toBeGreaterThan(40)
  })

  it('leaves pairs of surrogates together', () => {
    // A note that has no composed form of its own: NFC writes it as three characters.
    const text = '\u{1d15e}'.repeat(3000)
    expect(canonicalText(text)).toBe(text.normalize('NFC'))
    expect(canonicalText(`a${text}`)).toBe(`a${text}`.normalize('NFC'))
  })

  it('is made once for a search that pauses, and pauses itself', () => {
    let now = 0
    const turn = new Turn(() => now++, 1)
    const budget = new SearchBudget(turn)
    const regex = compileJavaRegex('é.*z', CANON_EQ)
    const find = (text: string): { found: boolean; pauses: number } => {
      for (let pauses = 0; ; pauses++) {
        turn.begin(1)
        try {
          return { found: regex.find(text, budget), pauses }
        } catch (error) {
          if (!isPause(error)) throw error
        }
      }
    }
    expect(find(`e\u0301a${MARKS.repeat(5000)}z`)).toEqual({ found: true, pauses: expect.any(Number) })
    const { found, pauses } = find(`e\u0323a${MARKS.repeat(5000)}z`)
    expect(found).toBe(false)
    expect(pauses).toBeGreaterThan(3)
    expect(pauses).toBeLessThan(40)
  })
})
