import { FilterCode } from '../../../src/filter/evaluate/filter-code.ts'
import type { FilterEvaluator } from '../../../src/filter/evaluate/filter-evaluator.ts'
import { EMPTY, equalRange, readInt32 } from '../../../src/model/bytes.ts'
import type { CellMerge } from './cell-merge.ts'
import { MatchCode } from './match-code.ts'
import type { Matcher } from './matcher.ts'

/** No decision of the inner matcher waits for the filter. */
const NONE = -1

/** Asks a filter about each cell that another matcher includes. HBase: UserScanQueryMatcher.mergeFilterResponse. */
export class FilteredMatcher implements Matcher {
  readonly #matcher: Matcher
  readonly #filter: FilterEvaluator
  readonly #maxVersions: number
  /** Qualifier of the last cell that the filter included; `length` -1: none yet in this row. */
  #qualifier: Buffer = EMPTY
  #length = -1
  /** Cells of that column that the filter included. */
  #versions = 0
  /** The inner matcher's decision on the cell about which the filter has paused. */
  #paused: MatchCode | typeof NONE = NONE

  /** `maxVersions`: most versions of a column among the cells that the filter includes. */
  constructor(matcher: Matcher, filter: FilterEvaluator, maxVersions: number) {
    this.#matcher = matcher
    this.#filter = filter
    this.#maxVersions = maxVersions
  }

  get wantedColumn(): Buffer | undefined {
    return this.#matcher.wantedColumn
  }

  startRow(): void {
    this.#matcher.startRow()
    this.#length = -1
  }

  leaveColumn(cells: CellMerge): MatchCode {
    return this.#matcher.leaveColumn(cells)
  }

  abandon(): boolean {
    // Else the filter, which all families share, may have paused at a cell of another one.
    if (this.#paused === NONE) return false
    this.#paused = NONE
    this.#filter.abandon()
    return true
  }

  match(cells: CellMerge): MatchCode {
    let code = this.#paused
    if (code === NONE) {
      if (this.#filter.filterAllRemaining()) return MatchCode.Done
      code = this.#matcher.match(cells)
      if (code > MatchCode.IncludeAndNextRow) return code
      this.#paused = code
    }
    const { iterator } = cells
    const { tagsBytes } = iterator
    const tags = tagsBytes === 0 ? 0 : iterator.tags
    const answer = this.#filter.filterCell(cells.buffer, cells.cell, tags, tagsBytes)
    this.#paused = NONE
    switch (answer) {
      case FilterCode.Include:
        return this.#include(cells, code)
      case FilterCode.IncludeAndNextColumn:
        return this.#include(cells, code === MatchCode.Include ? MatchCode.IncludeAndNextColumn : code)
      case FilterCode.IncludeAndSeekNextRow:
        return this.#include(cells, MatchCode.IncludeAndNextRow)
      case FilterCode.Skip:
        return withoutInclude(code)
      case FilterCode.NextColumn:
        return code === MatchCode.IncludeAndNextRow ? MatchCode.NextRow : this.#matcher.leaveColumn(cells)
      case FilterCode.NextRow:
        return MatchCode.NextRow
      case FilterCode.SeekNextUsingHint:
        return MatchCode.SeekHint
    }
  }

  /** `code` includes the cell. Returns one that does not if the column already has its versions. */
  #include(cells: CellMerge, code: MatchCode): MatchCode {
    const { buffer, cell } = cells
    const family = cell + 10 + ((buffer[cell + 8]! << 8) | buffer[cell + 9]!)
    const qualifier = family + 1 + buffer[family]!
    this.#countVersion(buffer, qualifier, cell + readInt32(buffer, cell) - 1 - qualifier)
    if (this.#versions > this.#maxVersions) {
      if (code === MatchCode.IncludeAndNextRow) return MatchCode.NextRow
      this.#matcher.leaveColumn(cells)
      return MatchCode.NextColumn
    }
    if (code === MatchCode.IncludeAndNextColumn) this.#matcher.leaveColumn(cells)
    return code
  }

  #countVersion(buffer: Buffer, qualifier: number, length: number): void {
    if (equalRange(buffer, qualifier, length, this.#qualifier, 0, this.#length)) {
      this.#versions++
      return
    }
    if (length > this.#qualifier.length) this.#qualifier = Buffer.allocUnsafe(length * 2)
    buffer.copy(this.#qualifier, 0, qualifier, qualifier + length)
    this.#length = length
    this.#versions = 1
  }
}

function withoutInclude(code: MatchCode): MatchCode {
  if (code === MatchCode.IncludeAndNextColumn) return MatchCode.NextColumn
  return code === MatchCode.IncludeAndNextRow ? MatchCode.NextRow : MatchCode.Skip
}
