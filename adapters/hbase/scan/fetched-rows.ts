import { CellBlock } from '../../../src/model/cell-block.ts'

/** Fetched results of a scan, before its caller gets them. */
export interface FetchedRows {
  readonly cells: CellBlock
  /** Cells of each result. */
  readonly counts: readonly number[]
  /** For each result, true if its row continues in the next one (for the last result: if it may); undefined: no row continues. */
  readonly partial?: readonly boolean[] | undefined
  /** The number of rows that the scan's filter passed over before these results and after them; undefined: none. */
  readonly rowsFiltered?: number | undefined
  /** As ScanBatch.rowsUnread. */
  readonly rowsUnread?: number | undefined
  /** True where a copy of the region answered; undefined: the copy that the scan names answered. */
  readonly isStale?: boolean | undefined
  /** Returns the memory of the cells, once no reader needs it; undefined where the garbage collector frees it. */
  readonly release?: (() => void) | undefined
}

export const NO_ROWS: FetchedRows = { cells: CellBlock.EMPTY, counts: [] }
