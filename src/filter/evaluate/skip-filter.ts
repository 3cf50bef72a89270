import { FilterCode } from './filter-code.ts'
import { WrappingEvaluator } from './wrapping-evaluator.ts'

/**
 * Passes the rows of which a filter includes every cell.
 * QUIRK filter-merge-wrapped-skip-row-ne-binary-b: only `reset` of the filter's row hooks is called, so RowFilter and
 * other filters that decide in filterRowKey do not work in a SkipFilter.
 */
export class SkipFilter extends WrappingEvaluator {
  #rowFails = false

  override reset(): void {
    super.reset()
    this.#rowFails = false
  }

  override filterCell(buffer: Buffer, cell: number, tags?: number, tagsBytes?: number): FilterCode {
    const code = this.filter.filterCell(buffer, cell, tags, tagsBytes)
    if (code !== FilterCode.Include) this.#rowFails = true
    return code
  }

  override filterRow(): boolean {
    return this.#rowFails
  }
}
