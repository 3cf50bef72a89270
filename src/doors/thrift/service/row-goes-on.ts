import { equalRange, readInt32 } from '../../../model/bytes.ts'
import { rowLength, rowOffset } from '../../../model/cell.ts'
import { CELL_PREFIX_BYTES, type CellBlock } from '../../../model/cell-block.ts'

/** True where the row of the last cell continues in `after`, which has later cells of the same scan. Neither block may be empty. */
export function rowGoesOn(cells: CellBlock, after: CellBlock): boolean {
  const { buffer } = cells
  const last = lastCell(cells)
  const first = after.start + CELL_PREFIX_BYTES
  return equalRange(
    buffer,
    rowOffset(last),
    rowLength(buffer, last),
    after.buffer,
    rowOffset(first),
    rowLength(after.buffer, first),
  )
}

function lastCell({ buffer, start, end }: CellBlock): number {
  let cell = 0
  for (let at = start; at < end; at = cell + readInt32(buffer, at)) cell = at + CELL_PREFIX_BYTES
  return cell
}
