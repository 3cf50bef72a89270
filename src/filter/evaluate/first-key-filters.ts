/** Filters that leave a row after its first matching cell. */

import type { Turn } from '../turns/turn.ts'
import { BaseEvaluator } from './base-evaluator.ts'
import { compareQualifier } from './cell-parts.ts'
import { FilterCode } from './filter-code.ts'

export class FirstKeyOnlyFilter extends BaseEvaluator {
  #isFound = false

  override reset(): void {
    this.#isFound = false
  }

  override filterCell(): FilterCode {
    if (this.#isFound) return FilterCode.NextRow
    this.#isFound = true
    return FilterCode.Include
  }
}

/** Passes a row's cells up to and including the first cell with one of the given qualifiers. */
export class FirstKeyValueMatchingQualifiersFilter extends BaseEvaluator {
  readonly #qualifiers: readonly Buffer[]
  readonly #turn: Turn
  #isFound = false
  /** The qualifier with which a paused call goes on; 0 between calls. */
  #at = 0

  constructor(qualifiers: readonly Buffer[], turn: Turn) {
    super()
    this.#qualifiers = qualifiers
    this.#turn = turn
  }

  override reset(): void {
    this.#isFound = false
  }

  override abandon(): void {
    this.#at = 0
  }

  override filterCell(buffer: Buffer, cell: number): FilterCode {
    if (this.#isFound) return FilterCode.NextRow
    const qualifiers = this.#qualifiers
    for (; this.#at < qualifiers.length; this.#at++) {
      this.#turn.spend(1)
      if (compareQualifier(buffer, cell, qualifiers[this.#at]!) !== 0) continue
      this.#isFound = true
      break
    }
    this.#at = 0
    return FilterCode.Include
  }
}
