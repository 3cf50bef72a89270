import type { CellBlockBuilder } from '../../model/cell-block.ts'
import type { FilterCode } from './filter-code.ts'

/**
 * A filter at work on one scan or get, with the state it keeps. HBase: Filter; the calls and their order are those of
 * HRegion.RegionScannerImpl and UserScanQueryMatcher. Cells are KeyValues at buffer[cell]; nothing keeps a reference to
 * a buffer after a call.
 */
export interface FilterEvaluator {
  /** Before each row. */
  reset(): void
  /** True: the row is left out without a look at its cells. The cell is the row's first. */
  filterRowKey(buffer: Buffer, cell: number): boolean
  /** True: nothing that follows passes, the scan is at its end. */
  filterAllRemaining(): boolean
  filterCell(buffer: Buffer, cell: number): FilterCode
  /** Asked after SeekNextUsingHint: a KeyValue at offset 0 to seek to; undefined: no hint after all, on to the next cell. */
  nextCellHint(buffer: Buffer, cell: number): Buffer | undefined
  /** Whether included cells must be written by `appendTransformed` and not as they are. */
  readonly transforms: boolean
  /** Appends the included KeyValue of `bytes` bytes at buffer[cell] as the filter changes it. */
  appendTransformed(target: CellBlockBuilder, buffer: Buffer, cell: number, bytes: number): void
  /** Whether `filterRowCells` or `filterRow` may leave out what `filterCell` let through: then batches and limits within a row cannot be used. */
  readonly hasFilterRow: boolean
  /** At a row's end: whether each of its included cells, at these offsets of the block's buffer, stays. Removes offsets in place. */
  filterRowCells(buffer: Buffer, cells: number[]): void
  /** After filterRowCells, true: the row is left out. */
  filterRow(): boolean
  /** Whether the scan must look at the family to decide on a row; others are read only for rows that pass. */
  isFamilyEssential(family: Buffer): boolean
  setReversed(reversed: boolean): void
}
