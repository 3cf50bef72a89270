/** The interfaces of file formats for cells. */

import type { CellBlock } from '../../model/cell-block.ts'
import type { Results } from '../../model/results.ts'

/** Turns results into the bytes of a file. */
export interface CellWriter {
  begin(): Buffer
  /** The bytes of the results; the caller may reuse their memory afterwards. */
  results(results: Results): Buffer
  end(): Buffer
}

/** Cells from a file, as results. */
export interface ReadCells {
  readonly cells: CellBlock
  readonly counts: readonly number[]
}

/** Reads a file. Throws a MalformedFile with the place where the file is malformed. */
export type CellReader = (chunks: AsyncIterable<Buffer>) => AsyncGenerator<ReadCells>

/** A file is malformed. The message names the place. */
export class MalformedFile extends Error {
  override readonly name = 'MalformedFile'
}
