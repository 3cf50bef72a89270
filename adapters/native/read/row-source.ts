import type { CellBlockBuilder } from '../../../src/model/cell-block.ts'

/**
 * The rows of a scan of one region, one after the other: `startRow`, then `readResult` until the row has ended, then
 * `endRow`. The caller applies the limits of the batch and of the scan.
 */
export interface RowSource {
  /** Goes on to the next row that has a cell in any family; false at the end of the scan. */
  startRow(): boolean
  /**
   * Appends one result: the row, or as much of it as the scan's batch and `length` bytes in the target allow. True if the
   * row ended. It pauses where the turn of the scan's filter ends (see Turn): the next call goes on with the same result, to which
   * the target's cells since then belong.
   */
  readResult(target: CellBlockBuilder, length: number): boolean
  /** Called after the row's last result. False if the scan ends with this row. */
  endRow(): boolean
}
