/** Iterates over the rows of a scan. */

import type { CellParts } from '../../model/cell.ts'
import { type CellBlock, CellCursor } from '../../model/cell-block.ts'
import type { Scan } from '../../model/query.ts'
import { gathered, type Results } from '../../model/results.ts'
import type { TableName } from '../../model/table-name.ts'
import type { CommandContext } from './command.ts'

const BATCH_ROWS = 1000
const BATCH_BYTES = 2 * 1024 * 1024

/** The results of a scan. A result may be a part of a row where the scan has a batch or `allowPartial` is true. */
export async function* scannedRows(
  context: Pick<CommandContext, 'store' | 'call'>,
  table: TableName,
  scan: Scan,
  allowPartial = false,
): AsyncGenerator<readonly CellParts[]> {
  for await (const results of scannedResults(context, table, scan, allowPartial)) yield* resultCells(results)
}

/** The same in batches, which the next step overwrites. */
export async function* scannedResults(
  { store: { rows, handouts }, call }: Pick<CommandContext, 'store' | 'call'>,
  table: TableName,
  scan: Scan,
  allowPartial = false,
): AsyncGenerator<Results> {
  const { id } = await rows.openScanner(table, scan, call)
  try {
    for (let ended = false; !ended; ) {
      const batch = await handouts.next(id, { rows: BATCH_ROWS, bytes: BATCH_BYTES, allowPartial }, call)
      const { loan } = batch.results
      ended = batch.ended === 'scan'
      try {
        yield gathered(batch.results)
      } finally {
        if (loan !== undefined) handouts.release(loan)
      }
    }
  } finally {
    await handouts.closeScanner(id)
  }
}

/** The cells of each result, as copies. */
export function resultCells({ cells, counts }: Results): CellParts[][] {
  const cursor = new CellCursor(copied(cells))
  return counts.map((count) =>
    Array.from({ length: count }, () => {
      cursor.next()
      return cursor.parts()
    }),
  )
}

function copied(block: CellBlock): CellBlock {
  const buffer = Buffer.from(block.buffer.subarray(block.start, block.end))
  return { buffer, start: 0, end: buffer.length, byteLength: buffer.length }
}
