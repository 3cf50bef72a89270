import { FilterCode } from '../filter/evaluate/filter-code.ts'
import type { FilterEvaluator } from '../filter/evaluate/filter-evaluator.ts'
import { appendInForm, VALUE_AS_IT_IS } from '../filter/evaluate/value-form.ts'
import { compareBytes } from '../model/bytes.ts'
import { type CellParts, cellLength, valueLength } from '../model/cell.ts'
import { blockOf, CELL_PREFIX_BYTES, CellBlockBuilder, cellsOf } from '../model/cell-block.ts'
import { compareWithinRow, type StoredCell } from './stored-cell.ts'
import type { CellSieve } from './visible-cells.ts'

/** The cells between two others in cell order, which a hint skips. */
interface Jump {
  readonly from: CellParts
  readonly to: CellParts
}

/**
 * Asks a filter about the cells of one family, row after row. A hint promises that no cell before it passes, so the sieve
 * skips all cells up to it. HBase: UserScanQueryMatcher and StoreScanner.
 */
export class FilterSieve implements CellSieve {
  leaves: 'nothing' | 'column' | 'family' = 'nothing'
  readonly #filter: FilterEvaluator
  readonly #reversed: boolean
  /** The most included cells of a column that the sieve passes. */
  readonly #maxVersions: number
  /** The number of cells of a row after which the sieve leaves the family. */
  readonly #cellsMax: number
  #jumps: Jump[] = []
  #column: StoredCell | undefined
  #versions = 0
  #cells = 0
  #isClosed = false

  constructor(filter: FilterEvaluator, reversed: boolean, maxVersions: number, cellsMax: number) {
    this.#filter = filter
    this.#reversed = reversed
    this.#maxVersions = maxVersions
    this.#cellsMax = cellsMax
  }

  startRow(): void {
    this.leaves = 'nothing'
    this.#jumps = this.#jumps.slice(-1)
    this.#column = undefined
    this.#cells = 0
  }

  /** True where the filter would see any of the family's cells of a row. `cells` are in cell order. */
  reaches(cells: readonly StoredCell[]): boolean {
    return !this.#isClosed && cells.some((cell) => !this.#isJumped(cell))
  }

  passesOver(cell: StoredCell): boolean {
    this.closeIfDone()
    return this.#isClosed || this.#isJumped(cell)
  }

  /**
   * QUIRK filter-arguments-column-count-get-1: HBase stops reading a family once the filter has ended there, even if the
   * filter starts anew.
   */
  closeIfDone(): void {
    const wasLimited = this.#cells >= this.#cellsMax
    if (!wasLimited && this.#filter.filterAllRemaining()) this.#isClosed = true
  }

  #isJumped(cell: CellParts): boolean {
    return this.#jumps.some(({ from, to }) => {
      if (this.#reversed) return compareBytes(cell.row, to.row) > 0
      return compare(from, cell) < 0 && compare(cell, to) < 0
    })
  }

  sift(cell: StoredCell): StoredCell | undefined {
    this.leaves = 'nothing'
    const { buffer: memory, end } = blockOf([cell])
    const buffer = memory.subarray(0, end)
    const { tags } = cell
    const code = this.#filter.filterCell(
      buffer,
      CELL_PREFIX_BYTES,
      tags === undefined ? 0 : buffer.length - tags.length,
      tags?.length ?? 0,
    )
    switch (code) {
      case FilterCode.Skip:
        return undefined
      case FilterCode.NextColumn:
        this.leaves = 'column'
        return undefined
      case FilterCode.NextRow:
        this.leaves = 'family'
        return undefined
      case FilterCode.SeekNextUsingHint:
        this.#jump(cell, this.#filter.nextCellHint(buffer, CELL_PREFIX_BYTES))
        return undefined
      case FilterCode.Include:
      case FilterCode.IncludeAndNextColumn:
      case FilterCode.IncludeAndSeekNextRow:
        return this.#include(cell, code, buffer)
    }
  }

  #include(cell: StoredCell, code: FilterCode, buffer: Buffer): StoredCell | undefined {
    if (code === FilterCode.IncludeAndNextColumn) this.leaves = 'column'
    if (code === FilterCode.IncludeAndSeekNextRow) this.leaves = 'family'
    if (this.#column?.qualifier.equals(cell.qualifier) !== true) this.#versions = 0
    this.#column = cell
    this.#versions++
    if (this.#versions > this.#maxVersions) {
      if (this.leaves === 'nothing') this.leaves = 'column'
      return undefined
    }
    this.#cells++
    if (this.#cells >= this.#cellsMax) this.leaves = 'family'
    const form = this.#filter.valueForm(VALUE_AS_IT_IS, valueLength(buffer, CELL_PREFIX_BYTES))
    if (form === VALUE_AS_IT_IS) return cell
    const transformed = new CellBlockBuilder()
    appendInForm(transformed, form, buffer, CELL_PREFIX_BYTES, cellLength(buffer, CELL_PREFIX_BYTES))
    // A cell with another value has no tags. HBase: KeyOnlyFilter.KeyOnlyCell.
    const [changed] = cellsOf(transformed.block())
    return cell.sequence === undefined ? changed! : { ...changed!, sequence: cell.sequence }
  }

  /** A reversed scan reads each row forwards, and follows only hints that lead to another row. */
  #jump(from: StoredCell, hint: Buffer | undefined): void {
    if (hint === undefined) return
    const cells = new CellBlockBuilder()
    cells.appendCell(hint, 0)
    const to = cellsOf(cells.block())[0]!
    const isAhead = this.#reversed ? compareBytes(to.row, from.row) < 0 : compare(from, to) < 0
    if (isAhead) this.#jumps.push({ from, to })
  }
}

function compare(a: CellParts, b: CellParts): number {
  return compareBytes(a.row, b.row) || compareWithinRow(a, b)
}
