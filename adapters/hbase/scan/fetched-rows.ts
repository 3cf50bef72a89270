import { CellBlock } from '../../../src/model/cell-block.ts'

/** Results of a scan on their way to its caller. */
export interface FetchedRows {
  readonly cells: CellBlock
  /** Cells of each result. */
  readonly counts: readonly number[]
  /** By result, whether its row goes on in the next one (for the last: whether it may); undefined: no row goes on. */
  readonly partial?: readonly boolean[] | undefined
  /** Rows that the scan's filter passed over on the way to these and after them; undefined: none. */
  readonly rowsFiltered?: number | undefined
  /** As ScanBatch.rowsUnread. */
  readonly rowsUnread?: number | undefined
  /** Whether a copy of the region answered; undefined: the copy that the scan names. */
  readonly isStale?: boolean | undefined
  /** Gives the memory of the cells back, once nobody reads them; undefined where it cannot be given back. */
  readonly release?: (() => void) | undefined
}

export const NO_ROWS: FetchedRows = { cells: CellBlock.EMPTY, counts: [] }
