/**
 * Puts the operators and filters of a filter string together by precedence: SKIP and WHILE bind closest, then AND, then
 * OR. HBase's ParseFilter departs from that at a closing parenthesis: see `closeParenthesis`.
 */

import type { Filter } from '../../model/filter.ts'
import { FILTER_DEPTH_MAX, tooDeep } from '../schema/filter-depth.ts'
import { syntaxError } from './syntax-error.ts'

export type Keyword = 'SKIP' | 'WHILE' | 'AND' | 'OR'

const PRECEDENCE: Readonly<Record<Keyword, number>> = { SKIP: 1, WHILE: 1, AND: 2, OR: 3 }

interface Operator {
  readonly word: Keyword | '('
  readonly offset: number
}

interface Operand {
  readonly filter: Filter
  readonly depth: number
  readonly offset: number
}

export class FilterStack {
  readonly #text: Buffer
  readonly #operators: Operator[] = []
  readonly #operands: Operand[] = []

  constructor(text: Buffer) {
    this.#text = text
  }

  filter(filter: Filter, offset: number): void {
    this.#operands.push({ filter, depth: 1, offset })
  }

  openParenthesis(offset: number): void {
    this.#operators.push({ word: '(', offset })
  }

  /** Applies the operators before it that bind closer, and then waits for the next filter. */
  keyword(word: Keyword, offset: number): void {
    for (;;) {
      const top = this.#operators.at(-1)
      if (top === undefined || top.word === '(' || PRECEDENCE[top.word] >= PRECEDENCE[word]) break
      this.#apply()
    }
    this.#operators.push({ word, offset })
  }

  /**
   * Applies the operators within the parentheses one at a time. HBase: ParseFilter.parseFilterString. After each operator it takes one from
   * the stack as if it were the opening parenthesis. Of two that are left, as in `(F() OR SKIP G())`, the first is lost. Then HBase applies
   * the parenthesis in its place.
   */
  closeParenthesis(offset: number): void {
    const mismatched = (): never => {
      throw syntaxError('Mismatched parenthesis', this.#text, offset, 'an opening parenthesis before that')
    }
    let top = this.#operators.at(-1) ?? mismatched()
    if (top.word === '(') {
      this.#operators.pop()
      return
    }
    while (top.word !== '(') {
      this.#apply()
      top = this.#operators.pop() ?? mismatched()
    }
  }

  finish(): Filter {
    while (this.#operators.length > 0) this.#apply()
    const [first, second] = this.#operands
    if (first === undefined) throw syntaxError('Incorrect Filter String', this.#text, 0, 'a filter')
    if (second !== undefined) {
      throw syntaxError('Incorrect Filter String', this.#text, second.offset, 'AND or OR before the filter')
    }
    return first.filter
  }

  /** Applies the operator on top of the stack. HBase: ParseFilter.popArguments. */
  #apply(): void {
    const operator = this.#operators.at(-1)
    if (operator === undefined)
      throw syntaxError('Mismatched parenthesis', this.#text, this.#text.length, '"("')
    const { word, offset } = operator
    if (word === 'AND' || word === 'OR') {
      this.#applyList(word)
      return
    }
    this.#operators.pop()
    const operand = this.#operands.pop()
    if (operand === undefined) {
      const words =
        word === '(' ? 'Incorrect Filter String' : `Incorrect input string - a ${word} wraps a filter`
      throw syntaxError(words, this.#text, offset + word.length, 'a filter')
    }
    if (word === '(') this.#operands.push(operand)
    else if (word === 'SKIP') this.#push({ kind: 'SkipFilter', filter: operand.filter }, [operand])
    else this.#push({ kind: 'WhileMatchFilter', filter: operand.filter }, [operand])
  }

  /** Operators of one kind in a row make one list. */
  #applyList(word: 'AND' | 'OR'): void {
    let operators = 0
    let offset = 0
    while (this.#operators.at(-1)?.word === word) {
      offset = this.#operators.pop()!.offset
      operators++
    }
    const first = this.#operands.length - operators - 1
    if (first < 0) {
      const words = `Incorrect input string - an ${word} needs two filters`
      throw syntaxError(words, this.#text, offset, `a filter on each side of the ${word}`)
    }
    const operands = this.#operands.splice(first)
    const filters = operands.map((operand) => operand.filter)
    const operator = word === 'AND' ? 'MUST_PASS_ALL' : 'MUST_PASS_ONE'
    this.#push({ kind: 'FilterList', operator, filters }, operands)
  }

  #push(filter: Filter, operands: readonly Operand[]): void {
    let depth = 0
    for (const operand of operands) depth = Math.max(depth, operand.depth)
    if (depth === FILTER_DEPTH_MAX) throw tooDeep()
    this.#operands.push({ filter, depth: depth + 1, offset: operands[0]!.offset })
  }
}
