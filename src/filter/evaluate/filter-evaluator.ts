import type { CellBlockBuilder } from '../../model/cell-block.ts'
import type { FilterCode } from './filter-code.ts'

/**
 * A filter at work on one scan or get of one region, with the state it keeps. HBase: Filter; the calls and their order
 * are those of RegionScannerImpl (with FilterWrapper), UserScanQueryMatcher and StoreScanner. Cells are KeyValues at
 * buffer[cell]; nothing keeps a reference to a buffer after a call.
 *
 * For each row: `filterAllRemaining`, then `filterRowKey` with its first cell (of an essential family); for each cell of
 * each family `filterAllRemaining`, `filterCell` and what its code asks for, `appendTransformed` before the next cell;
 * at its end, only if some cell was included: with `hasFilterRow` first `filterRowCells` and, if cells are left,
 * `filterRow`; without it `filterRow` alone. Then `reset`.
 */
export interface FilterEvaluator {
  /** Between rows: after each, whether it was left out or not, and before `filterAllRemaining` is asked again. */
  reset(): void
  /** True: the row is left out without a look at its cells. The cell is the row's first. */
  filterRowKey(buffer: Buffer, cell: number): boolean
  /** True: nothing that follows passes, the scan is at its end. */
  filterAllRemaining(): boolean
  filterCell(buffer: Buffer, cell: number): FilterCode
  /**
   * Asked after SeekNextUsingHint: a KeyValue at offset 0 to seek to, good until the filter's next call; undefined: no
   * hint after all. Without a hint, or with one that is not ahead of the cell in the direction of the scan, it is on to
   * the next cell. The hint may be on a later row, and have no family.
   */
  nextCellHint(buffer: Buffer, cell: number): Buffer | undefined
  /** Whether included cells must be written by `appendTransformed` and not as they are. */
  readonly transforms: boolean
  /**
   * What becomes of an included cell's value, of `valueLength` bytes, after other filters made it `before`: see
   * value-form.ts. Stands for the cell that filterCell was last asked about. HBase: transformCell.
   */
  valueForm(before: number, valueLength: number): number
  /** Appends the included KeyValue of `bytes` bytes at buffer[cell] as the filter changes it. */
  appendTransformed(target: CellBlockBuilder, buffer: Buffer, cell: number, bytes: number): void
  /** Whether `filterRowCells` or `filterRow` may leave out what `filterCell` let through: then batches and limits within a row cannot be used. */
  readonly hasFilterRow: boolean
  /** At a row's end: removes from `cells`, the offsets in `buffer` of the row's included cells, those that do not stay. */
  filterRowCells(buffer: Buffer, cells: number[]): void
  /** After filterRowCells, true: the row is left out. */
  filterRow(): boolean
  /** Whether the scan must look at the family to decide on a row; others are read only for rows that pass. */
  isFamilyEssential(family: Buffer): boolean
  /** Whether it takes part in the hint of a list of filters that must all pass. HBase: HintingFilter. */
  readonly isHinting: boolean
  /** Before the first row. */
  setReversed(reversed: boolean): void
}
