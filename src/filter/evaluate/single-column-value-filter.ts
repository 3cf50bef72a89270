import { HBaseError } from '../../model/errors.ts'
import type { SingleColumnValue } from '../../model/filter.ts'
import type { SearchBudget } from '../regex/search-budget.ts'
import { BaseEvaluator } from './base-evaluator.ts'
import { isOfColumn } from './cell-parts.ts'
import { ComparisonEvaluator } from './comparison-evaluator.ts'
import { FilterCode } from './filter-code.ts'

/** Passes the rows in which one column has a matching value, or is missing. */
export class SingleColumnValueFilter extends BaseEvaluator {
  readonly #column: SingleColumnValue
  readonly #comparison: ComparisonEvaluator
  #isFound = false
  #isMatched = false

  constructor(column: SingleColumnValue, budget: SearchBudget) {
    super()
    this.#column = column
    this.#comparison = new ComparisonEvaluator(column, budget)
  }

  override get hasFilterRow(): boolean {
    return true
  }

  override reset(): void {
    this.#comparison.reset()
    this.#isFound = false
    this.#isMatched = false
  }

  override filterCell(buffer: Buffer, cell: number): FilterCode {
    if (this.#isMatched) return FilterCode.Include
    const { family, qualifier, latestVersionOnly } = this.#column
    if (latestVersionOnly && this.#isFound) return FilterCode.NextRow
    if (!isOfColumn(buffer, cell, family, qualifier)) return FilterCode.Include
    const fails = this.#fails(buffer, cell)
    this.#isFound = true
    if (fails) return latestVersionOnly ? FilterCode.NextRow : FilterCode.Include
    this.#isMatched = true
    return FilterCode.Include
  }

  override filterRow(): boolean {
    return this.#isFound ? !this.#isMatched : this.#column.filterIfMissing
  }

  /** If rows without the column stay out, the scan need not read another family first. */
  override isFamilyEssential(family: Buffer): boolean {
    return !this.#column.filterIfMissing || family.equals(this.#column.family)
  }

  #fails(buffer: Buffer, cell: number): boolean {
    if (this.#column.operator === 'NO_OP') throw new HBaseError('REFUSED', 'Unknown Compare op NO_OP')
    return this.#comparison.failsForValue(buffer, cell)
  }
}

/** Passes the same rows, without the column. */
export class SingleColumnValueExcludeFilter extends SingleColumnValueFilter {
  readonly #family: Buffer
  readonly #qualifier: Buffer

  constructor(column: SingleColumnValue, budget: SearchBudget) {
    super(column, budget)
    this.#family = column.family
    this.#qualifier = column.qualifier
  }

  override filterRowCells(buffer: Buffer, cells: number[]): void {
    let kept = 0
    for (const cell of cells) {
      if (!isOfColumn(buffer, cell, this.#family, this.#qualifier)) cells[kept++] = cell
    }
    cells.length = kept
  }
}
