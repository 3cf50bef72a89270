import { CellBlock, CellBlockBuilder } from './cell-block.ts'
import type { ScatteredCells } from './scattered-cells.ts'

/** Where results may be lent from a store: its memory is used again once the loan is released. */
export interface LentResults {
  /** Id of the loan: see Handouts.release. A loan that nobody releases is left to the garbage collector. */
  readonly loan?: number | undefined
}

/**
 * Answers to gets or of a scan: the cells of all results back to back, and how many belong to each. A get that finds
 * nothing is a result of no cells.
 */
export interface Results extends LentResults {
  readonly cells: CellBlock
  readonly counts: readonly number[]
}

/** As Results, with the cells where the store has them perhaps, for callers that allow it. */
export interface ScannedResults extends LentResults {
  readonly cells: CellBlock | ScatteredCells
  readonly counts: readonly number[]
}

export const NO_RESULTS: Results = { cells: CellBlock.EMPTY, counts: [] }

/** What ended a batch: a limit of the caller's, the end of a region after which the scan goes on, the end of the scan. */
export type BatchEnd = 'batch' | 'region' | 'scan'

/** One step of a scan. A row without cells does not appear. */
export interface ScanBatch {
  readonly results: ScannedResults
  readonly ended: BatchEnd
  /**
   * By result, whether its row goes on in the next result; of the last one whether the row may go on in the next batch.
   * Undefined where no result is a part of a row.
   */
  readonly partial: readonly boolean[] | undefined
  /** Cells that were looked at for this batch, shown or not. */
  readonly cellsSeen: number
  /** The row at which the scan stands: the last one that was looked at, shown or not; undefined: the store cannot say. */
  readonly position: Buffer | undefined
}

/** The results with their cells back to back, copied where they were scattered. The loan stays what it was. */
export function gathered(results: ScannedResults): Results {
  const { cells } = results
  if (cells instanceof CellBlock) return results as Results
  const builder = new CellBlockBuilder(cells.byteLength)
  builder.appendScattered(cells)
  return { ...results, cells: builder.block() }
}
