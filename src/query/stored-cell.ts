import { compareBytes } from '../model/bytes.ts'
import { type CellParts, CellType } from '../model/cell.ts'

/** A cell as it is stored, maybe a tombstone. */
export interface StoredCell extends CellParts {
  /** The number of the write that it came with. Families with NEW_VERSION_BEHAVIOR go by it. */
  readonly sequence?: bigint
}

/** A row as it is stored, its cells in cell order; of cells with one key the newer comes first. */
export interface StoredRow {
  readonly key: Buffer
  readonly cells: readonly StoredCell[]
}

export function isTombstone(cell: CellParts): boolean {
  return cell.type !== CellType.Put
}

/** Whether the tombstone is of the cell, by column and timestamp. Both are of one family. */
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
