/** Scans of a region's rows for an endpoint. */

import type { AdvertisedStore } from '../../../gateway/catalog/advertised.ts'
import { giveBack } from '../../../gateway/reads/loans.ts'
import { CellBlock as Block, type CellBlock, CellCursor } from '../../../model/cell-block.ts'
import type { Scan } from '../../../model/query.ts'
import { gathered, type Results } from '../../../model/results.ts'
import type { Call } from '../../../store/call.ts'
import type { RegionRef } from '../../../store/target.ts'

const BATCH = { rows: 1000, bytes: 256 * 1024, allowPartial: false } as const

/** Yields batches of rows, one cell block for each row. A batch is valid until the next one. */
export async function* regionRows(
  { rows, handouts }: Pick<AdvertisedStore, 'rows' | 'handouts'>,
  region: RegionRef,
  scan: Scan,
  call: Call,
): AsyncGenerator<readonly CellBlock[]> {
  const { id } = await rows.openScanner(region, scan, call)
  try {
    for (let ended = 'batch'; ended === 'batch'; ) {
      const batch = await handouts.next(id, BATCH, call)
      ended = batch.ended
      const results = gathered(batch.results)
      try {
        yield eachRow(results)
      } finally {
        giveBack(handouts, results)
      }
    }
  } finally {
    await handouts.closeScanner(id)
  }
}

function eachRow({ cells, counts }: Results): readonly CellBlock[] {
  const cursor = new CellCursor(cells)
  return counts.map((count) => {
    const start = cursor.position
    for (let i = 0; i < count; i++) cursor.next()
    return new Block(cells.buffer, start, cursor.position)
  })
}
