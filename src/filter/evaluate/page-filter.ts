import { BaseEvaluator } from './base-evaluator.ts'

/** Passes `pageSize` rows of each region. */
export class PageFilter extends BaseEvaluator {
  readonly #pageSize: number
  #rows = 0

  constructor(pageSize: bigint) {
    super()
    // No region has so many rows that a page size above the safe integers could matter.
    this.#pageSize = Number(pageSize)
  }

  override get hasFilterRow(): boolean {
    return true
  }

  override filterRowKey(): boolean {
    return this.filterAllRemaining()
  }

  override filterAllRemaining(): boolean {
    return this.#rows >= this.#pageSize
  }

  override filterRow(): boolean {
    return ++this.#rows > this.#pageSize
  }
}
