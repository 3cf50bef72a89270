import { timestampOffset } from '../model/cell.ts'
import { blockOf, CellCursor } from '../model/cell-block.ts'
import { LabelledDeletes } from './labelled-deletes.ts'
import { isTombstone, type StoredCell } from './stored-cell.ts'

/** The cells that tombstones among them hide, where tombstones hide by labels. `cells`: of one family of a row, in cell order. */
export function hiddenByLabels<Cell extends StoredCell>(cells: readonly Cell[]): Cell[] {
  const deletes = new LabelledDeletes()
  return cells.filter((cell) => decide(deletes, cell))
}

/** True where the tombstones so far hide the cell. Remembers the cell where it is a tombstone itself. */
export function decide(deletes: LabelledDeletes, cell: StoredCell): boolean {
  const cursor = new CellCursor(blockOf([cell]))
  cursor.next()
  const { buffer, qualifierOffset, qualifierLength, tagsOffset, tagsBytes } = cursor
  const time = timestampOffset(buffer, cursor.cell)
  if (!isTombstone(cell))
    return deletes.hides(buffer, qualifierOffset, qualifierLength, time, tagsOffset, tagsBytes)
  deletes.add(buffer, qualifierOffset, qualifierLength, time, cell.type, tagsOffset, tagsBytes)
  return false
}
