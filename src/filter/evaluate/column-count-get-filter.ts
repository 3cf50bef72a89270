import { BaseEvaluator } from './base-evaluator.ts'
import { FilterCode } from './filter-code.ts'

/** Passes the first `limit` columns of a row. Meant for gets: a scan ends at the first row with more columns. */
export class ColumnCountGetFilter extends BaseEvaluator {
  readonly #limit: number
  #count = 0

  constructor(limit: number) {
    super()
    this.#limit = limit
  }

  override reset(): void {
    this.#count = 0
  }

  override filterRowKey(): boolean {
    return this.filterAllRemaining()
  }

  override filterAllRemaining(): boolean {
    return this.#count > this.#limit
  }

  override filterCell(): FilterCode {
    this.#count++
    return this.filterAllRemaining() ? FilterCode.NextColumn : FilterCode.IncludeAndNextColumn
  }
}
