/**
 * The arguments of one filter in a filter string, read as its kind demands. HBase: createFilterFromArguments of each
 * filter, and the conversions of ParseFilter. HBase's refusals lose their reason ("Incorrect filter string ...");
 * Tidegate adds what it expected, and where.
 */

import type { Comparator, FilterOperator } from '../../model/filter.ts'
import { goesWith, OPERATOR_SIGNS, operatorWithSign } from './comparison-text.ts'
import type { Argument, FilterExpression } from './filter-expression.ts'
import { parseComparator } from './parse-comparator.ts'
import { quoted, syntaxError } from './syntax-error.ts'

const QUOTE = 0x27
const MINUS = 0x2d
const ZERO = 0x30
const INT_MAX = 0x7fffffffn

export class ArgumentList {
  readonly #expression: FilterExpression

  constructor(expression: FilterExpression) {
    this.#expression = expression
  }

  get length(): number {
    return this.#expression.arguments.length
  }

  /** `counts`: the allowed counts in words, for the error. */
  expectCount(holds: boolean, counts: string): void {
    if (holds) return
    const { name, end, arguments: found } = this.#expression
    this.#refuse(found[0]?.offset ?? end - 1, `${counts} for ${name}, not ${found.length},`)
  }

  /** The bytes of an argument in single quotes. */
  bytes(index: number): Buffer {
    const { bytes, offset } = this.#at(index)
    if (bytes.length < 2 || bytes[0] !== QUOTE || bytes.at(-1) !== QUOTE) {
      this.#refuse(offset, 'an argument in single quotes')
    }
    return bytes.subarray(1, -1)
  }

  /** true or false, in any case. */
  boolean(index: number): boolean {
    const { bytes, offset } = this.#at(index)
    const text = bytes.length > 5 ? '' : bytes.toString('latin1').toLowerCase()
    if (text !== 'true' && text !== 'false') this.#refuse(offset, 'true or false')
    return text === 'true'
  }

  /** A number that is not negative. */
  int32(index: number): number {
    const value = this.int64(index)
    if (value > INT_MAX) this.#refuse(this.#at(index).offset, `a number up to ${INT_MAX}`)
    return Number(value)
  }

  /**
   * A number that is not negative. HBase: ParseFilter.convertByteArrayToLong, which keeps the low 64 bits of a longer
   * number if no step on the way was negative.
   * QUIRK filter-arguments-page-dash: a sign alone is 0.
   */
  int64(index: number): bigint {
    const { bytes, offset } = this.#at(index)
    const isNegative = bytes[0] === MINUS
    let value = 0n
    for (let i = isNegative ? 1 : 0; i < bytes.length; i++) {
      const digit = bytes[i]! - ZERO
      if (digit < 0 || digit > 9) this.#refuse(offset + i, 'a digit')
      value = BigInt.asIntN(64, value * 10n + BigInt(digit))
      if (value < 0n) this.#refuse(offset, 'a number of 64 bits')
    }
    if (isNegative && value !== 0n) this.#refuse(offset, 'a number that is not negative')
    return value
  }

  operator(index: number): FilterOperator {
    const { bytes, offset } = this.#at(index)
    const operator = bytes.length > 2 ? undefined : operatorWithSign(bytes.toString('latin1'))
    return operator ?? this.#refuse(offset, `an operator (${OPERATOR_SIGNS})`)
  }

  comparator(index: number): Comparator {
    const { offset } = this.#at(index)
    const bytes = this.bytes(index)
    return parseComparator(bytes, (expected) => this.#refuse(offset, expected))
  }

  /** A comparator that goes with the operator before it. */
  comparatorOfOperator(index: number): Comparator {
    const comparator = this.comparator(index)
    if (!goesWith(comparator, this.operator(index - 1))) {
      this.refuse(index - 1, '= or != before a regexstring or substring comparator')
    }
    return comparator
  }

  /** Refuses an argument that has the right type but that HBase's constructor does not take. */
  refuse(index: number, expected: string): never {
    return this.#refuse(this.#at(index).offset, expected)
  }

  #at(index: number): Argument {
    return this.#expression.arguments[index]!
  }

  #refuse(offset: number, expected: string): never {
    const { text, start, end } = this.#expression
    throw syntaxError(`Incorrect filter string ${quoted(text.subarray(start, end))}`, text, offset, expected)
  }
}
