import { BaseEvaluator } from './base-evaluator.ts'
import { FilterCode } from './filter-code.ts'
import type { FilterEvaluator } from './filter-evaluator.ts'

/** Ends the scan at the first row or cell that a filter does not include. As in HBase, the filter's hints and filterRowCells are not asked for. */
export class WhileMatchFilter extends BaseEvaluator {
  readonly #filter: FilterEvaluator
  #isOver = false

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
  }

  override filterAllRemaining(): boolean {
    return this.#isOver || this.#filter.filterAllRemaining()
  }

  override filterRowKey(buffer: Buffer, cell: number): boolean {
    if (this.filterAllRemaining()) return true
    const fails = this.#filter.filterRowKey(buffer, cell)
    if (fails) this.#isOver = true
    return fails
  }

  override filterCell(buffer: Buffer, cell: number): FilterCode {
    const code = this.#filter.filterCell(buffer, cell)
    if (code !== FilterCode.Include) this.#isOver = true
    return code
  }

  override valueForm(before: number, valueLength: number): number {
    return this.#filter.valueForm(before, valueLength)
  }

  override filterRow(): boolean {
    const fails = this.#filter.filterRow()
    if (fails) this.#isOver = true
    return fails
  }

  override isFamilyEssential(family: Buffer): boolean {
    return this.#filter.isFamilyEssential(family)
  }
}
