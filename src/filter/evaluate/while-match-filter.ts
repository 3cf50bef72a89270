import { FilterCode } from './filter-code.ts'
import { WrappingEvaluator } from './wrapping-evaluator.ts'

/**
 * Ends the scan at the first row or cell that a filter does not include.
 * QUIRK filter-merge-wrapped-while-single-column-value-exclude-a-2-eq-binary-two: the filter's hints and filterRowCells are
 * not asked for.
 */
export class WhileMatchFilter extends WrappingEvaluator {
  #isOver = false

  override filterAllRemaining(): boolean {
    return this.#isOver || this.filter.filterAllRemaining()
  }

  override filterRowKey(buffer: Buffer, cell: number): boolean {
    if (this.filterAllRemaining()) return true
    const fails = this.filter.filterRowKey(buffer, cell)
    if (fails) this.#isOver = true
    return fails
  }

  override filterCell(buffer: Buffer, cell: number, tags?: number, tagsBytes?: number): FilterCode {
    const code = this.filter.filterCell(buffer, cell, tags, tagsBytes)
    if (code !== FilterCode.Include) this.#isOver = true
    return code
  }

  override filterRow(): boolean {
    const fails = this.filter.filterRow()
    if (fails) this.#isOver = true
    return fails
  }
}
