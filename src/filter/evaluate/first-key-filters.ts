/** Filters that leave a row after its first matching cell. */

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
  #isFound = false

  constructor(qualifiers: readonly Buffer[]) {
    super()
    this.#qualifiers = qualifiers
  }

  override reset(): void {
    this.#isFound = false
  }

  override filterCell(buffer: Buffer, cell: number): FilterCode {
    if (this.#isFound) return FilterCode.NextRow
    for (const qualifier of this.#qualifiers) {
      if (compareQualifier(buffer, cell, qualifier) === 0) {
        this.#isFound = true
        break
      }
    }
    return FilterCode.Include
  }
}
