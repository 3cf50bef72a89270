import { BaseEvaluator } from './base-evaluator.ts'

/** So many rows, of each region. */
export class PageFilter extends BaseEvaluator {
  readonly #pageSize: number
  #rows = 0

  constructor(pageSize: bigint) {
    super()
    // Above the safe integers one page size is as good as another.
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
