import type { FilterOfKind } from '../../model/filter.ts'
import type { SearchBudget } from '../regex/search-budget.ts'
import { BaseEvaluator } from './base-evaluator.ts'
import { cellTimestampHigh, cellTimestampLow, isOfColumn } from './cell-parts.ts'
import { ComparisonEvaluator } from './comparison-evaluator.ts'
import { FilterCode } from './filter-code.ts'
import { TimestampSet } from './timestamp-set.ts'

/**
 * Passes the cells of a row that share a timestamp with some cell of one column; that cell's value may have to match too.
 */
export class DependentColumnFilter extends BaseEvaluator {
  readonly #family: Buffer
  readonly #qualifier: Buffer
  readonly #dropsColumn: boolean
  readonly #comparison: ComparisonEvaluator | undefined
  readonly #timestamps = new TimestampSet()

  constructor(filter: FilterOfKind<'DependentColumnFilter'>, budget: SearchBudget) {
    super()
    const { operator, comparator } = filter
    this.#family = filter.family
    this.#qualifier = filter.qualifier
    this.#dropsColumn = filter.dropDependentColumn
    this.#comparison =
      comparator === undefined ? undefined : new ComparisonEvaluator({ operator, comparator }, budget)
  }

  override get hasFilterRow(): boolean {
    return true
  }

  override reset(): void {
    this.#comparison?.reset()
    this.#timestamps.clear()
  }

  override filterCell(buffer: Buffer, cell: number): FilterCode {
    if (!isOfColumn(buffer, cell, this.#family, this.#qualifier)) return FilterCode.Include
    if (this.#comparison?.failsForValue(buffer, cell) === true) return FilterCode.Skip
    this.#timestamps.add(cellTimestampHigh(buffer, cell), cellTimestampLow(buffer, cell))
    return this.#dropsColumn ? FilterCode.Skip : FilterCode.Include
  }

  override filterRowCells(buffer: Buffer, cells: number[]): void {
    let kept = 0
    for (const cell of cells) {
      const stays = this.#timestamps.has(cellTimestampHigh(buffer, cell), cellTimestampLow(buffer, cell))
      if (stays) cells[kept++] = cell
    }
    cells.length = kept
  }
}
