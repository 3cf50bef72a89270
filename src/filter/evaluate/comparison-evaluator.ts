import { familyLengthOffset, rowLength, timestampOffset, valueLength, valueOffset } from '../../model/cell.ts'
import type { Comparison, FilterOperator } from '../../model/filter.ts'
import type { SearchBudget } from '../regex/search-budget.ts'
import { qualifierOffset } from './cell-parts.ts'
import type { ComparatorEvaluator } from './comparators/comparator-evaluator.ts'
import { createComparator } from './comparators/create-comparator.ts'

/** Returns whether a comparison fails for a part of a cell. HBase: CompareFilter.compare. */
export class ComparisonEvaluator {
  readonly operator: FilterOperator
  readonly #comparator: ComparatorEvaluator
  /** The comparator stands on the right: `LESS` fails if the comparator's value is less than the cell's. */
  readonly #failsBelow: boolean
  readonly #failsAt: boolean
  readonly #failsAbove: boolean

  readonly #budget: SearchBudget

  constructor({ operator, comparator }: Comparison, budget: SearchBudget) {
    this.operator = operator
    this.#budget = budget
    this.#comparator = createComparator(comparator, budget)
    this.#failsBelow = operator !== 'GREATER' && operator !== 'GREATER_OR_EQUAL' && operator !== 'NOT_EQUAL'
    this.#failsAt = operator !== 'EQUAL' && operator !== 'LESS_OR_EQUAL' && operator !== 'GREATER_OR_EQUAL'
    this.#failsAbove = operator !== 'LESS' && operator !== 'LESS_OR_EQUAL' && operator !== 'NOT_EQUAL'
  }

  /** Another row begins: all comparisons of the filter may search again. */
  reset(): void {
    this.#budget.reset()
  }

  failsForRow(buffer: Buffer, cell: number): boolean {
    return this.#fails(buffer, cell + 10, rowLength(buffer, cell))
  }

  failsForFamily(buffer: Buffer, cell: number): boolean {
    const family = familyLengthOffset(buffer, cell)
    return this.#fails(buffer, family + 1, buffer[family]!)
  }

  failsForQualifier(buffer: Buffer, cell: number): boolean {
    const qualifier = qualifierOffset(buffer, cell)
    return this.#fails(buffer, qualifier, timestampOffset(buffer, cell) - qualifier)
  }

  failsForValue(buffer: Buffer, cell: number): boolean {
    return this.#fails(buffer, valueOffset(buffer, cell), valueLength(buffer, cell))
  }

  #fails(buffer: Buffer, offset: number, length: number): boolean {
    if (this.operator === 'NO_OP') return true
    const order = this.#comparator.compare(buffer, offset, length)
    if (order === 0) return this.#failsAt
    return order < 0 ? this.#failsBelow : this.#failsAbove
  }
}
