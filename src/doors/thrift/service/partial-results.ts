import { equalRange, readInt32 } from '../../../model/bytes.ts'
import { rowLength, rowOffset } from '../../../model/cell.ts'
import { CELL_PREFIX_BYTES, type CellBlock } from '../../../model/cell-block.ts'
import type { Results } from '../../../model/results.ts'

/** By result, whether its row goes on in the result after it; `after` begins with the one after the last. */
export function partialResults({ cells, counts }: Results, after: CellBlock): boolean[] {
  const partial: boolean[] = []
  let at = cells.start
  for (const count of counts) {
    const first = at
    for (let cell = 0; cell < count; cell++) at += CELL_PREFIX_BYTES + readInt32(cells.buffer, at)
    const next = at < cells.end ? cells : after
    const start = at < cells.end ? at : after.start
    partial.push(start < next.end && isSameRow(cells.buffer, first, next.buffer, start))
  }
  return partial
}

function isSameRow(a: Buffer, aAt: number, b: Buffer, bAt: number): boolean {
  const aCell = aAt + CELL_PREFIX_BYTES
  const bCell = bAt + CELL_PREFIX_BYTES
  return equalRange(a, rowOffset(aCell), rowLength(a, aCell), b, rowOffset(bCell), rowLength(b, bCell))
}
