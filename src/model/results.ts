import { CellBlock } from './cell-block.ts'

/**
 * Answers to gets or of a scan: the cells of all results back to back, and how many belong to each. A get that finds
 * nothing is a result of no cells.
 */
export interface Results {
  readonly cells: CellBlock
  readonly counts: readonly number[]
  /**
   * Who has read the cells and will not look at them again may say so, once: their memory then serves another batch, or
   * is no longer kept as it is for a scattered block. Who does not leaves it to the garbage collector.
   */
  readonly release?: () => void
}

export const NO_RESULTS: Results = { cells: CellBlock.EMPTY, counts: [] }

/** One step of a scan. A row without cells does not appear. */
export interface ScanBatch {
  readonly results: Results
  /** False when the scan is at its end; true does not promise that another row follows. */
  readonly more: boolean
  /** True where the last result's row goes on in the next batch: its cells exceeded the byte limit. */
  readonly partial: boolean
}
