import { CellBlock, CellBlockBuilder } from './cell-block.ts'
import type { ScatteredCells } from './scattered-cells.ts'

/** Results that a store may lend: it reuses their memory once the loan is released. */
export interface LentResults {
  /** Id of the loan: see Handouts.release. The garbage collector takes a loan that is not released. */
  readonly loan?: number | undefined
}

/**
 * Answers to gets or of a scan: the cells of all results back to back, and how many belong to each. A get that finds
 * nothing is a result of no cells.
 */
export interface Results extends LentResults {
  readonly cells: CellBlock
  readonly counts: readonly number[]
  /** For each get, true if a copy of the region answered, which may have less than the region; undefined: none did. */
  readonly stale?: readonly boolean[] | undefined
}

/** As Results, but the cells may lie where the store has them, for callers that allow it. */
export interface ScannedResults extends LentResults {
  readonly cells: CellBlock | ScatteredCells
  readonly counts: readonly number[]
  /** For each result, true if a copy of the region answered; undefined: all are of the copy that Scan.replica names. */
  readonly stale?: readonly boolean[] | undefined
}

/** One result without cells. */
export const EMPTY_RESULT: Results = { cells: CellBlock.EMPTY, counts: [0] }

export const NO_RESULTS: Results = { cells: CellBlock.EMPTY, counts: [] }

/**
 * Why a batch ended: a limit of the caller's, the end of a region after which the scan goes on, or the end of the scan.
 */
export type BatchEnd = 'batch' | 'region' | 'scan'

/** One step of a scan. A row without cells does not appear. */
export interface ScanBatch {
  readonly results: ScannedResults
  readonly ended: BatchEnd
  /**
   * By result, whether its row goes on in the next result; for the last result, whether the row may go on in the next
   * batch. Undefined if no result is a part of a row.
   */
  readonly partial: readonly boolean[] | undefined
  /** Cells that the store looked at for this batch, shown or not. */
  readonly cellsSeen: number
  /** Rows that the store looked at for this batch, shown or not; undefined: another server looked, and does not say. */
  readonly rowsSeen: number | undefined
  /** Rows that the scan's filter passed over, as the other server reports; for stores that do not know rowsSeen. */
  readonly rowsFiltered?: number | undefined
  /**
   * Of the rows that were seen or filtered, those at whose key the filter ended the scan: HBase counts them as filtered and not as
   * scanned. Undefined: none.
   */
  readonly rowsUnread?: number | undefined
  /**
   * True, of a batch without results that ends the scan of a region: the filter lets nothing more through, so that the caller asks no
   * further region of the table. HBase: RSRpcServices.scan.
   */
  readonly isTableDone?: boolean | undefined
  /**
   * The row at which the scan stands: the last row that the store looked at, shown or not; undefined: the store cannot
   * say.
   */
  readonly position: Buffer | undefined
}

/** The results with their cells back to back; scattered cells are copied. The loan stays the same. */
export function gathered(results: ScannedResults): Results {
  const { cells } = results
  if (cells instanceof CellBlock) return results as Results
  const builder = new CellBlockBuilder(cells.byteLength)
  builder.appendScattered(cells)
  return { ...results, cells: builder.block() }
}
