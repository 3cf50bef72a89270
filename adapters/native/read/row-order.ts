import type { Steps } from '../../../src/model/steps.ts'
import type { CellMerge } from './cell-merge.ts'

/** Takes the families that a scan reads from row to row, in the direction of the scan. */
export interface RowOrder {
  /** Moves every family to the first row of the scan. */
  seekFirstRow(): void
  /** As seekFirstRow, for very many runs, which may be replaced between two steps. */
  seekFirstRowInSteps(): Steps<void>
  /** Moves the families past the row that was read, if reading has not done so. */
  leaveRow(): void
  /** The family's merge that stands at the scan's next row; undefined at the end of the scan. */
  first(): CellMerge | undefined
}
