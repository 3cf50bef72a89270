import type { CellBlockBuilder } from '../../../src/model/cell-block.ts'

/**
 * The rows of a scan of one region, one after the other: `startRow`, then `readResult` until the row has ended, then
 * `endRow`. Who drives it applies the limits of the batch and of the scan.
 */
export interface RowSource {
  /** On to the next row that any family has a cell of; false at the end of the scan. */
  startRow(): boolean
  /**
   * Appends one result: the row, or as much of it as the scan's batch allows and fits before the target holds `length`
   * bytes. True where the row ended.
   */
  readResult(target: CellBlockBuilder, length: number): boolean
  /** After the row's last result. False where the scan ends with this row. */
  endRow(): boolean
}
