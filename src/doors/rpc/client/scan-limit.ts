/** The limit of whole rows that a client states for a scan. */

import { CellBlock, CellCursor } from '../../../model/cell-block.ts'
import type { Results, ScanBatch } from '../../../model/results.ts'

export interface Limited {
  readonly kept: Results
  /** Number of rows that these results complete. */
  readonly whole: number
}

/** The results up to the limit of whole rows. A row that comes in parts is complete with its last part. */
export function withinLimit(
  results: Results,
  { partial }: ScanBatch,
  partialRow: Buffer | undefined,
  limit: number,
): Limited {
  const cursor = new CellCursor(results.cells)
  let whole = 0
  let open = partialRow
  for (const [index, count] of results.counts.entries()) {
    const start = cursor.position
    for (let i = 0; i < count; i++) cursor.next()
    const row = cursor.parts().row
    // A new row: the row before it is complete.
    if (open !== undefined && !open.equals(row) && ++whole >= limit) return cut(results, index, start, whole)
    const goesOn = partial?.[index] === true
    open = goesOn ? row : undefined
    if (!goesOn && ++whole >= limit) return cut(results, index + 1, cursor.position, whole)
  }
  return { kept: results, whole }
}

function cut({ cells, counts, loan }: Results, count: number, end: number, whole: number): Limited {
  const kept = { cells: new CellBlock(cells.buffer, cells.start, end), counts: counts.slice(0, count), loan }
  return { kept, whole }
}
