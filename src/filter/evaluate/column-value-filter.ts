import type { FilterOfKind } from '../../model/filter.ts'
import type { SearchBudget } from '../regex/search-budget.ts'
import { BaseEvaluator } from './base-evaluator.ts'
import { isOfColumn } from './cell-parts.ts'
import { ComparisonEvaluator } from './comparison-evaluator.ts'
import { FilterCode } from './filter-code.ts'

/** Passes the cells of one column with a matching value, and no other cell. */
export class ColumnValueFilter extends BaseEvaluator {
  readonly #family: Buffer
  readonly #qualifier: Buffer
  readonly #comparison: ComparisonEvaluator
  #isFound = false

  constructor(filter: FilterOfKind<'ColumnValueFilter'>, budget: SearchBudget) {
    super()
    this.#family = filter.family
    this.#qualifier = filter.qualifier
    this.#comparison = new ComparisonEvaluator(filter, budget)
  }

  override reset(): void {
    this.#comparison.reset()
    this.#isFound = false
  }

  override filterCell(buffer: Buffer, cell: number): FilterCode {
    if (!isOfColumn(buffer, cell, this.#family, this.#qualifier)) {
      return this.#isFound ? FilterCode.NextRow : FilterCode.NextColumn
    }
    this.#isFound = true
    return this.#comparison.failsForValue(buffer, cell) ? FilterCode.Skip : FilterCode.Include
  }

  override isFamilyEssential(family: Buffer): boolean {
    return family.equals(this.#family)
  }
}
