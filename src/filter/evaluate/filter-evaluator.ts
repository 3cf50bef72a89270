import type { CellBlockBuilder } from '../../model/cell-block.ts'
import type { FilterCode } from './filter-code.ts'

/**
 * A filter during one scan or get of one region, with its state. HBase: Filter; RegionScannerImpl (with FilterWrapper),
 * UserScanQueryMatcher and StoreScanner make the same calls in the same order. Cells are KeyValues at buffer[cell]; a
 * filter keeps no reference to a buffer after a call.
 *
 * The calls for each row: `filterAllRemaining`, then `filterRowKey` with its first cell (of an essential family). For each cell of each
 * family: `filterAllRemaining`, `filterCell` and the step that its code asks for, `appendTransformed` before the next cell. At the row's
 * end, only if some cell was included: with `hasFilterRow` first `filterRowCells` and, if cells are left, `filterRow`; without it
 * `filterRow` alone. Then `reset`.
 *
 * `filterRowKey`, `filterCell` and `filterRowCells` pause at the end of a turn: see Turn. The next call is then the same one on
 * the same cell, or `abandon`.
 */
export interface FilterEvaluator {
  /** Between rows: after each row, left out or not, and before the next `filterAllRemaining`. */
  reset(): void
  /** True: the row is left out without a look at its cells. The cell is the row's first. */
  filterRowKey(buffer: Buffer, cell: number): boolean
  /** True: no later row or cell passes, and the scan is at its end. */
  filterAllRemaining(): boolean
  /** `tags`: where the cell's tags begin in the buffer, `tagsBytes` of them; 0 where there are none. */
  filterCell(buffer: Buffer, cell: number, tags?: number, tagsBytes?: number): FilterCode
  /**
   * Asked after SeekNextUsingHint: a KeyValue at offset 0 to seek to, valid until the filter's next call; undefined: no
   * hint after all. Without a hint, or with one that is not ahead of the cell in the direction of the scan, the scan goes
   * on to the next cell. The hint may be on a later row, and have no family.
   */
  nextCellHint(buffer: Buffer, cell: number): Buffer | undefined
  /** Whether included cells must be written by `appendTransformed` and not as they are. */
  readonly transforms: boolean
  /**
   * The form of an included cell's value, of `valueLength` bytes, after other filters gave it the form `before`: see
   * value-form.ts. The cell is the one of the last `filterCell` call. HBase: transformCell.
   */
  valueForm(before: number, valueLength: number): number
  /** Appends the included KeyValue of `bytes` bytes at buffer[cell] as the filter changes it. */
  appendTransformed(target: CellBlockBuilder, buffer: Buffer, cell: number, bytes: number): void
  /** Whether `filterRowCells` or `filterRow` may leave out what `filterCell` let through: then batches and limits within a row cannot be used. */
  readonly hasFilterRow: boolean
  /**
   * At a row's end: removes the cells that do not stay from `cells`, the offsets in `buffer` of the row's included cells.
   */
  filterRowCells(buffer: Buffer, cells: number[]): void
  /** After filterRowCells, true: the row is left out. */
  filterRow(): boolean
  /** Whether the scan must read the family to decide on a row; it reads the other families only for rows that pass. */
  isFamilyEssential(family: Buffer): boolean
  /** Whether the filter contributes to the hint of a list in which all filters must pass. HBase: HintingFilter. */
  readonly isHinting: boolean
  /** The cell at which a call has paused is not there any more: the call is not made again. */
  abandon(): void
  /** Before the first row. */
  setReversed(reversed: boolean): void
}
