import { compareBytes } from '../model/bytes.ts'
import { type CellParts, CellType } from '../model/cell.ts'

/** A stored cell, which may be a tombstone. */
export interface StoredCell extends CellParts {
  /** The number of the write that brought it, by which families with NEW_VERSION_BEHAVIOR order their cells; absent: 0. */
  readonly sequence?: bigint
}

/** A stored row. Its cells are in cell order, of cells with one key the newer first. */
export interface StoredRow {
  readonly key: Buffer
  readonly cells: readonly StoredCell[]
}

export function isTombstone(cell: CellParts): boolean {
  return cell.type !== CellType.Put
}

/** True where the tombstone hides the cell, by column and timestamp. Both are of one family. */
export function hides(tombstone: StoredCell, cell: StoredCell): boolean {
  const sameColumn = tombstone.qualifier.equals(cell.qualifier)
  switch (tombstone.type) {
    case CellType.DeleteFamily:
      return cell.timestamp <= tombstone.timestamp
    case CellType.DeleteFamilyVersion:
      return cell.timestamp === tombstone.timestamp
    case CellType.DeleteColumn:
      return sameColumn && cell.timestamp <= tombstone.timestamp
    default:
      return sameColumn && cell.timestamp === tombstone.timestamp
  }
}

/** HBase's order within a row: family, qualifier ascending, timestamp, type descending. */
export function compareWithinRow(a: CellParts, b: CellParts): number {
  return (
    compareBytes(a.family, b.family) ||
    compareBytes(a.qualifier, b.qualifier) ||
    descending(a.timestamp, b.timestamp) ||
    b.type - a.type
  )
}

function descending(a: bigint, b: bigint): number {
  if (a === b) return 0
  return a > b ? -1 : 1
}
