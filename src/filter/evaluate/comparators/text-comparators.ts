/** Comparators that decode bytes to text; no other filter decodes. */

import { type Decoder, decoderFor } from '../../regex/charset.ts'
import { compileRegex } from '../../regex/compile-regex.ts'
import type { JavaRegex } from '../../regex/java-regex.ts'
import type { SearchBudget } from '../../regex/search-budget.ts'
import type { ComparatorEvaluator } from './comparator-evaluator.ts'

/** Finds text regardless of case; 0 where it is found. */
export class SubstringComparator implements ComparatorEvaluator {
  readonly #substring: string
  readonly #decode: Decoder = decoderFor('UTF-8')

  constructor(substring: string) {
    this.#substring = substring.toLowerCase()
  }

  compare(bytes: Buffer, offset: number, length: number): number {
    const text = this.#decode(bytes, offset, offset + length)
    return text.toLowerCase().includes(this.#substring) ? 0 : 1
  }
}

/** Finds a pattern somewhere in the text; 0 where it is found. */
export class RegexStringComparator implements ComparatorEvaluator {
  readonly #regex: JavaRegex
  readonly #decode: Decoder
  readonly #budget: SearchBudget | undefined

  /** `budget`: see createComparator. */
  constructor(
    pattern: string,
    flags: number,
    charset: string,
    engine: 'JAVA' | 'JONI',
    budget?: SearchBudget,
  ) {
    this.#budget = budget
    this.#regex = compileRegex(pattern, flags, engine)
    // Joni takes all bytes as UTF-8, whatever the charset.
    this.#decode = decoderFor(engine === 'JONI' || charset === '' ? 'UTF-8' : charset)
  }

  compare(bytes: Buffer, offset: number, length: number): number {
    return this.#regex.find(this.#decode(bytes, offset, offset + length), this.#budget) ? 0 : 1
  }
}
