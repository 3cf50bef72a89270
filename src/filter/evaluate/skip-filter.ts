import { BaseEvaluator } from './base-evaluator.ts'
import { FilterCode } from './filter-code.ts'
import type { FilterEvaluator } from './filter-evaluator.ts'

/**
 * The rows of which a filter includes every cell. As in HBase, of the filter's row hooks only `reset` is called, and its
 * hints are not asked for: one that decides in filterRowKey (PrefixFilter, RowFilter) does not work in it.
 */
export class SkipFilter extends BaseEvaluator {
  readonly #filter: FilterEvaluator
  #rowFails = false

  constructor(filter: FilterEvaluator) {
    super()
    this.#filter = filter
  }

  override get hasFilterRow(): boolean {
    return true
  }

  override get transforms(): boolean {
    return this.#filter.transforms
  }

  override reset(): void {
    this.#filter.reset()
    this.#rowFails = false
  }

  override filterCell(buffer: Buffer, cell: number): FilterCode {
    const code = this.#filter.filterCell(buffer, cell)
    if (code !== FilterCode.Include) this.#rowFails = true
    return code
  }

  override valueForm(before: number, valueLength: number): number {
    return this.#filter.valueForm(before, valueLength)
  }

  override filterRow(): boolean {
    return this.#rowFails
  }

  override isFamilyEssential(family: Buffer): boolean {
    return this.#filter.isFamilyEssential(family)
  }
}
