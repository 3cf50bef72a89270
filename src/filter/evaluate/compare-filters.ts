/** The filters that compare one part of a cell. */

import type { Comparison } from '../../model/filter.ts'
import type { SearchBudget } from '../regex/search-budget.ts'
import { BaseEvaluator } from './base-evaluator.ts'
import { ComparisonEvaluator } from './comparison-evaluator.ts'
import { FilterCode } from './filter-code.ts'

export class RowFilter extends BaseEvaluator {
  readonly #comparison: ComparisonEvaluator
  #rowFails = false

  constructor(comparison: Comparison, budget: SearchBudget) {
    super()
    this.#comparison = new ComparisonEvaluator(comparison, budget)
  }

  override reset(): void {
    this.#comparison.reset()
    this.#rowFails = false
  }

  override filterRowKey(buffer: Buffer, cell: number): boolean {
    if (this.#comparison.failsForRow(buffer, cell)) this.#rowFails = true
    return this.#rowFails
  }

  override filterCell(): FilterCode {
    return this.#rowFails ? FilterCode.NextRow : FilterCode.Include
  }

  override filterRow(): boolean {
    return this.#rowFails
  }
}

export class FamilyFilter extends BaseEvaluator {
  readonly #comparison: ComparisonEvaluator

  constructor(comparison: Comparison, budget: SearchBudget) {
    super()
    this.#comparison = new ComparisonEvaluator(comparison, budget)
  }

  override reset(): void {
    this.#comparison.reset()
  }

  override filterCell(buffer: Buffer, cell: number): FilterCode {
    return this.#comparison.failsForFamily(buffer, cell) ? FilterCode.NextRow : FilterCode.Include
  }
}

export class QualifierFilter extends BaseEvaluator {
  readonly #comparison: ComparisonEvaluator

  constructor(comparison: Comparison, budget: SearchBudget) {
    super()
    this.#comparison = new ComparisonEvaluator(comparison, budget)
  }

  override reset(): void {
    this.#comparison.reset()
  }

  override filterCell(buffer: Buffer, cell: number): FilterCode {
    return this.#comparison.failsForQualifier(buffer, cell) ? FilterCode.Skip : FilterCode.Include
  }
}

export class ValueFilter extends BaseEvaluator {
  readonly #comparison: ComparisonEvaluator

  constructor(comparison: Comparison, budget: SearchBudget) {
    super()
    this.#comparison = new ComparisonEvaluator(comparison, budget)
  }

  override reset(): void {
    this.#comparison.reset()
  }

  override filterCell(buffer: Buffer, cell: number): FilterCode {
    return this.#comparison.failsForValue(buffer, cell) ? FilterCode.Skip : FilterCode.Include
  }
}
