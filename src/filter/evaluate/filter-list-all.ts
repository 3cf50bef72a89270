import { FilterCode } from './filter-code.ts'
import type { FilterEvaluator } from './filter-evaluator.ts'
import { FilterList } from './filter-list.ts'
import { codeIfAllMustPass, isInclude } from './merged-codes.ts'

/** All filters must pass. HBase: FilterListWithAND. */
export class FilterListAll extends FilterList {
  /** The filters that gave a hint for the cell. */
  readonly #hinting: FilterEvaluator[] = []
  /** Results of a paused call so far. */
  #code: FilterCode = FilterCode.Include
  #isLeftOut = false
  #hintsRemain = false

  override reset(): void {
    super.reset()
    this.#hinting.length = 0
  }

  override filterRowKey(buffer: Buffer, cell: number): boolean {
    const { filters, turn } = this
    if (this.at === 0) {
      this.#isLeftOut = false
      this.#hintsRemain = false
    }
    for (; this.at < filters.length; this.at++) {
      turn.spend(1)
      const filter = filters[this.at]!
      if (filter.filterAllRemaining()) {
        this.at = 0
        return true
      }
      if (filter.filterRowKey(buffer, cell)) this.#isLeftOut = true
      else if (filter.isHinting) this.#hintsRemain = true
    }
    this.at = 0
    // A filter that may give a hint must still see the row's cells, so that the scan can follow the hint.
    return this.#isLeftOut && !this.#hintsRemain
  }

  override filterAllRemaining(): boolean {
    for (const filter of this.filters) if (filter.filterAllRemaining()) return true
    return false
  }

  override filterCell(buffer: Buffer, cell: number, tags?: number, tagsBytes?: number): FilterCode {
    const { filters, turn } = this
    let i = this.at
    let code = this.#code
    if (i === 0) {
      this.#hinting.length = 0
      code = FilterCode.Include
    }
    try {
      for (; i < filters.length && isInclude(code); i++) {
        turn.spend(1)
        const filter = filters[i]!
        code = filter.filterAllRemaining()
          ? FilterCode.NextRow
          : codeIfAllMustPass(code, this.#ask(filter, buffer, cell, tags, tagsBytes))
      }
      // A filter has left the cell out, but another may lead further on.
      for (; i < filters.length; i++) {
        if (filters[i]!.isHinting) this.#ask(filters[i]!, buffer, cell, tags, tagsBytes)
      }
    } catch (error) {
      this.at = i
      this.#code = code
      throw error
    }
    this.at = 0
    return this.#hinting.length > 0 ? FilterCode.SeekNextUsingHint : code
  }

  #ask(filter: FilterEvaluator, buffer: Buffer, cell: number, tags?: number, tagsBytes?: number): FilterCode {
    const code = filter.filterCell(buffer, cell, tags, tagsBytes)
    if (code === FilterCode.SeekNextUsingHint) this.#hinting.push(filter)
    return code
  }

  /** The furthest of the hints. */
  override nextCellHint(buffer: Buffer, cell: number): Buffer | undefined {
    let furthest: Buffer | undefined
    for (const filter of this.#hinting) {
      if (filter.filterAllRemaining()) continue
      const hint = filter.nextCellHint(buffer, cell)
      if (hint === undefined) continue
      if (furthest === undefined || this.compare(furthest, 0, hint, 0) < 0) furthest = hint
    }
    return furthest
  }

  override valueForm(before: number, valueLength: number): number {
    let form = before
    for (const filter of this.filters) form = filter.valueForm(form, valueLength)
    return form
  }

  override filterRow(): boolean {
    for (const filter of this.filters) if (filter.filterRow()) return true
    return false
  }
}
