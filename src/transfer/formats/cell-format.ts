/** Files of cells. */

import type { CellBlock } from '../../model/cell-block.ts'
import type { Results } from '../../model/results.ts'

/** Turns results into the bytes of a file, one after the other. */
export interface CellWriter {
  begin(): Buffer
  /** The bytes of the results; the caller may reuse their memory afterwards. */
  results(results: Results): Buffer
  end(): Buffer
}

/** Cells of rows: as results, of a file. */
export interface ReadCells {
  readonly cells: CellBlock
  readonly counts: readonly number[]
}

/** Throws an Error with the place where the file is not what it should be. */
export type CellReader = (chunks: AsyncIterable<Buffer>) => AsyncGenerator<ReadCells>

/** Where a file is malformed, for a person. */
export class MalformedFile extends Error {
  override readonly name = 'MalformedFile'
}
