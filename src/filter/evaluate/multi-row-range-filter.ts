import { compareRange } from '../../model/bytes.ts'
import { rowLength } from '../../model/cell.ts'
import type { RowRange } from '../../model/filter.ts'
import { isInRange } from '../schema/row-ranges.ts'
import { BaseEvaluator } from './base-evaluator.ts'
import { FilterCode } from './filter-code.ts'
import { KeyCell } from './key-cell.ts'

const BEFORE_FIRST = -1

/** Passes the rows of several ranges; the filter seeks from one range to the next. */
export class MultiRowRangeFilter extends BaseEvaluator {
  /** In the direction of the scan. */
  #ranges: RowRange[]
  readonly #hint = new KeyCell()
  #reversed = false
  #range: RowRange
  #foundFirst = false
  #isDone = false
  /**
   * The answer for every cell of the row. A SkipFilter shows the filter no row: then nothing passes, where HBase has no
   * answer and fails.
   */
  #code: FilterCode = FilterCode.Skip

  /** `ranges`: as mergeRowRanges returns them. */
  constructor(ranges: RowRange[]) {
    super()
    this.#ranges = ranges
    this.#range = this.#ranges[0]!
  }

  override get isHinting(): boolean {
    return true
  }

  override setReversed(reversed: boolean): void {
    if (reversed !== this.#reversed) this.#ranges = this.#ranges.toReversed()
    this.#reversed = reversed
  }

  override filterAllRemaining(): boolean {
    return this.#isDone
  }

  /** Never leaves out a row by its key: the code for its cells does, so that the hint is asked for. */
  override filterRowKey(buffer: Buffer, cell: number): boolean {
    if (this.#isDone) return true
    this.#code = this.#codeFor(buffer, cell + 10, rowLength(buffer, cell))
    return false
  }

  #codeFor(buffer: Buffer, offset: number, length: number): FilterCode {
    if (this.#foundFirst && isInRange(this.#range, buffer, offset, length)) return FilterCode.Include
    const index = this.#search(buffer, offset, length)
    if (index >= this.#ranges.length) {
      this.#isDone = true
      return FilterCode.NextRow
    }
    this.#range = this.#ranges[index === BEFORE_FIRST ? 0 : index]!
    if (this.#isExcludedEdge(buffer, offset, length)) return FilterCode.NextRow
    if (!this.#foundFirst) {
      this.#foundFirst = true
      return index === BEFORE_FIRST ? FilterCode.SeekNextUsingHint : FilterCode.Include
    }
    return isInRange(this.#range, buffer, offset, length) ? FilterCode.Include : FilterCode.SeekNextUsingHint
  }

  /**
   * The range that the row is in, or the first range ahead of it. HBase: MultiRowRangeFilter.getNextRangeIndex. It takes a range to the end
   * of the table for the last range of a reversed scan too, though that range comes first. So this search must halve as Java's binary
   * search does, to go astray in the same way.
   */
  #search(buffer: Buffer, offset: number, length: number): number {
    let from = 0
    let last = this.#ranges.length - 1
    while (from <= last) {
      const middle = (from + last) >>> 1
      const order = this.#compareWithEdge(buffer, offset, length, this.#ranges[middle]!)
      if (order === 0) return middle
      if (order < 0) last = middle - 1
      else from = middle + 1
    }
    if (from > 0 && isInRange(this.#ranges[from - 1]!, buffer, offset, length)) return from - 1
    if (from === 0 && !isInRange(this.#ranges[0]!, buffer, offset, length)) return BEFORE_FIRST
    this.#foundFirst = true
    return from
  }

  /** Compares, in the direction of the scan, with the end of the range that the scan meets first. */
  #compareWithEdge(buffer: Buffer, offset: number, length: number, range: RowRange): number {
    const edge = this.#edge(range)
    const order = compareRange(buffer, offset, length, edge, 0, edge.length)
    return this.#reversed ? -order : order
  }

  #isExcludedEdge(buffer: Buffer, offset: number, length: number): boolean {
    const { includeStartRow, includeStopRow } = this.#range
    if (this.#reversed ? includeStopRow : includeStartRow) return false
    return this.#compareWithEdge(buffer, offset, length, this.#range) === 0
  }

  #edge({ startRow, stopRow }: RowRange): Buffer {
    return this.#reversed ? stopRow : startRow
  }

  override filterCell(): FilterCode {
    return this.#code
  }

  override nextCellHint(): Buffer {
    return this.#hint.firstOnRow(this.#edge(this.#range))
  }
}
