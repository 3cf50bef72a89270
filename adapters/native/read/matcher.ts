import type { CellMerge } from './cell-merge.ts'
import type { MatchCode } from './match-code.ts'

/** Decides on the cells of a family, row by row and in order. */
export interface Matcher {
  /** Where NextColumn leads: the column to seek, or undefined for whichever follows the present one. */
  readonly wantedColumn: Buffer | undefined
  startRow(): void
  /** On the present cell of the merge. Each cell is shown once: deciding counts it. */
  match(cells: CellMerge): MatchCode
  /** The column of the present cell is finished for a reason of the caller's: NextColumn or NextRow. */
  leaveColumn(cells: CellMerge): MatchCode
}
