/** Comparators that decode bytes to text; no other filter decodes. */

import { type Decoder, decoderFor } from '../../regex/charset.ts'
import { compileRegex } from '../../regex/compile-regex.ts'
import type { JavaRegex } from '../../regex/java-regex.ts'
import { SearchBudget } from '../../regex/search-budget.ts'
import { Turn } from '../../turns/turn.ts'
import type { ComparatorEvaluator } from './comparator-evaluator.ts'
import { PIECE_LENGTH, TextSearch } from './text-search.ts'

/** For a longer text, the comparison looks at the clock after each step, such as decoding. */
const LONG_UNITS = 1 << 20
/** Bytes that are decoded anew after a pause. */
const SHORT_TEXT = 1024

/** Finds text regardless of case; 0 where it is found. */
export class SubstringComparator implements ComparatorEvaluator {
  readonly #substring: string
  readonly #decode: Decoder = decoderFor('UTF-8')
  readonly #turn: Turn

  constructor(substring: string, turn: Turn = new Turn()) {
    this.#substring = substring.toLowerCase()
    this.#turn = turn
  }

  compare(bytes: Buffer, offset: number, length: number): number {
    if (length > PIECE_LENGTH) return this.#isInLong(bytes, offset, length) ? 0 : 1
    this.#turn.spendBytes(length)
    const text = this.#decode(bytes, offset, offset + length)
    return text.toLowerCase().includes(this.#substring) ? 0 : 1
  }

  #isInLong(bytes: Buffer, offset: number, length: number): boolean {
    const turn = this.#turn
    return turn.keeping(
      this,
      (): LongText => ({ text: this.#decode(bytes, offset, offset + length), search: undefined }),
      (long) => {
        if (long.search === undefined) {
          turn.spend(LONG_UNITS)
          long.search = new TextSearch(long.text.toLowerCase(), this.#substring)
          turn.spend(LONG_UNITS)
        }
        const { search } = long
        while (!search.isOver) {
          turn.spendBytes(PIECE_LENGTH)
          search.next()
        }
        return search.isFound
      },
    )
  }
}

interface LongText {
  readonly text: string
  search: TextSearch | undefined
}

/** Finds a pattern somewhere in the text; 0 where it is found. */
export class RegexStringComparator implements ComparatorEvaluator {
  readonly #regex: JavaRegex
  readonly #decode: Decoder
  readonly #budget: SearchBudget

  /** `budget`: see createComparator. */
  constructor(
    pattern: string,
    flags: number,
    charset: string,
    engine: 'JAVA' | 'JONI',
    budget: SearchBudget = new SearchBudget(),
  ) {
    this.#budget = budget
    this.#regex = compileRegex(pattern, flags, engine)
    // Joni takes all bytes as UTF-8 under each charset.
    this.#decode = decoderFor(engine === 'JONI' || charset === '' ? 'UTF-8' : charset)
  }

  compare(bytes: Buffer, offset: number, length: number): number {
    const budget = this.#budget
    if (length <= SHORT_TEXT) {
      budget.turn.spendBytes(length)
      return this.#regex.find(this.#decode(bytes, offset, offset + length), budget) ? 0 : 1
    }
    const found = budget.turn.keeping(
      this,
      () => ({ text: this.#decode(bytes, offset, offset + length), isNew: true }),
      (long) => {
        if (long.isNew) {
          long.isNew = false
          budget.turn.spend(LONG_UNITS)
        }
        return this.#regex.find(long.text, budget)
      },
    )
    return found ? 0 : 1
  }
}
