import type { Turn } from '../turns/turn.ts'
import { isSameColumn, isSameFamily } from './cell-parts.ts'
import { FilterCode } from './filter-code.ts'
import type { FilterEvaluator } from './filter-evaluator.ts'
import { FilterList } from './filter-list.ts'
import { KeyCell } from './key-cell.ts'
import { codeIfOneMustPass, isInclude } from './merged-codes.ts'

/** One filter's answer for the cell before. */
interface Answer {
  code: FilterCode | undefined
  /** That cell; set only if the code leads past cells. */
  readonly cell: KeyCell
  key: Buffer | undefined
  included: boolean
}

/**
 * One filter must pass. The other filters may hold the scan back, so a filter may be shown cells that it wanted to pass
 * over: the list does not ask it about them, and its earlier answer stands. HBase: FilterListWithOR.
 */
export class FilterListOne extends FilterList {
  readonly #answers: readonly Answer[]
  /** Results of a paused call so far. */
  #merged: FilterCode | undefined
  #isLeftOut = false

  constructor(filters: readonly FilterEvaluator[], turn: Turn) {
    super(filters, turn)
    this.#answers = filters.map(() => ({
      code: undefined,
      cell: new KeyCell(),
      key: undefined,
      included: false,
    }))
  }

  override reset(): void {
    super.reset()
    for (const answer of this.#answers) {
      answer.code = undefined
      answer.key = undefined
      answer.included = false
    }
  }

  /** Asks every filter, as some note the row here. */
  override filterRowKey(buffer: Buffer, cell: number): boolean {
    const { filters, turn } = this
    if (this.at === 0) this.#isLeftOut = filters.length > 0
    for (; this.at < filters.length; this.at++) {
      turn.spend(1)
      const filter = filters[this.at]!
      if (!filter.filterAllRemaining() && !filter.filterRowKey(buffer, cell)) this.#isLeftOut = false
    }
    this.at = 0
    return this.#isLeftOut
  }

  override filterAllRemaining(): boolean {
    for (const filter of this.filters) if (!filter.filterAllRemaining()) return false
    return this.filters.length > 0
  }

  override filterCell(buffer: Buffer, cell: number, tags?: number, tagsBytes?: number): FilterCode {
    const { filters, turn } = this
    if (filters.length === 0) return FilterCode.Include
    let i = this.at
    let merged = i === 0 ? undefined : this.#merged
    try {
      for (; i < filters.length; i++) {
        turn.spend(1)
        const filter = filters[i]!
        const answer = this.#answers[i]!
        answer.included = false
        if (filter.filterAllRemaining()) continue
        const code =
          this.#standingCode(filter, answer, buffer, cell) ?? filter.filterCell(buffer, cell, tags, tagsBytes)
        answer.code = code
        answer.key = isStep(code) ? answer.cell.keyOf(buffer, cell) : undefined
        answer.included = isInclude(code)
        merged = merged === undefined ? code : codeIfOneMustPass(merged, code)
      }
    } catch (error) {
      this.at = i
      this.#merged = merged
      throw error
    }
    this.at = 0
    return merged ?? FilterCode.Skip
  }

  /** The filter's answer for the cell, if its answer for the cell before implies one; undefined: it must be asked. */
  #standingCode(
    filter: FilterEvaluator,
    { code, key }: Answer,
    buffer: Buffer,
    cell: number,
  ): FilterCode | undefined {
    if (key === undefined) return undefined
    switch (code) {
      case FilterCode.SeekNextUsingHint: {
        const hint = filter.nextCellHint(key, 0)
        return hint !== undefined && this.compare(buffer, cell, hint, 0) < 0 ? code : undefined
      }
      case FilterCode.NextColumn:
      case FilterCode.IncludeAndNextColumn:
        return isSameColumn(key, 0, buffer, cell) ? FilterCode.NextColumn : undefined
      case FilterCode.NextRow:
      case FilterCode.IncludeAndSeekNextRow:
        return isSameFamily(key, 0, buffer, cell) ? FilterCode.NextRow : undefined
      case FilterCode.Include:
      case FilterCode.Skip:
      case undefined:
        return undefined
    }
  }

  /** The nearest of the hints; none if one filter gives none. */
  override nextCellHint(buffer: Buffer, cell: number): Buffer | undefined {
    let nearest: Buffer | undefined
    for (const filter of this.filters) {
      if (filter.filterAllRemaining()) continue
      const hint = filter.nextCellHint(buffer, cell)
      if (hint === undefined) return undefined
      if (nearest === undefined || this.compare(nearest, 0, hint, 0) > 0) nearest = hint
    }
    return nearest
  }

  /** Applies the filters that included the cell. */
  override valueForm(before: number, valueLength: number): number {
    let form = before
    for (let i = 0; i < this.filters.length; i++) {
      if (this.#answers[i]!.included) form = this.filters[i]!.valueForm(form, valueLength)
    }
    return form
  }

  override filterRow(): boolean {
    for (const filter of this.filters) if (!filter.filterRow()) return false
    return this.filters.length > 0
  }
}

function isStep(code: FilterCode): boolean {
  return code !== FilterCode.Include && code !== FilterCode.Skip
}
