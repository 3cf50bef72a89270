import type { CellMerge } from './cell-merge.ts'
import type { MatchCode } from './match-code.ts'

/** Decides on the cells of a family, row by row and in order. */
export interface Matcher {
  /** The column that NextColumn seeks, or undefined for any column after the present one. */
  readonly wantedColumn: Buffer | undefined
  startRow(): void
  /** Decides on the present cell of the merge. Each cell may be shown only once, since the matcher counts it. */
  match(cells: CellMerge): MatchCode
  /** The present cell is not there any more. True if a filter had paused at it within `match`. */
  abandon?(): boolean
  /** The caller is done with the present cell's column. Returns NextColumn or NextRow. */
  leaveColumn(cells: CellMerge): MatchCode
}
