/** The work that a change is, in cells: it decides whether the change is made in one turn of the event loop or in several. */

import { readInt32 } from '../../../src/model/bytes.ts'
import { CellType } from '../../../src/model/cell.ts'
import { type CellBlock, CellCursor } from '../../../src/model/cell-block.ts'
import type { RowOperation, RowPart } from '../../../src/model/mutation.ts'
import { LATEST_HIGH, LATEST_LOW } from '../../../src/model/timestamp.ts'

/** Work of one step. */
export const STEP_COST = 512
/** The cost of a cell whose column is read first: of an increment, an append, or the deletion of a newest version. */
const READ_COST = 16
/** Bytes of a cell in a block with the shortest row and value. */
const CELL_BYTES_MIN = 26

/** The cost of the cell at the cursor, which is a put's or a delete's. */
export function costOf({ buffer, timestampOffset: at, type }: CellCursor): number {
  const isNewest =
    type === CellType.Delete &&
    readInt32(buffer, at + 4) === LATEST_LOW &&
    readInt32(buffer, at) === LATEST_HIGH
  return isNewest ? READ_COST : 1
}

/** Whether the puts and deletes of a mutation cost more than `costMax`. */
export function isWideMutation(cells: CellBlock, costMax: number): boolean {
  return mayBeWide(cells.byteLength, costMax) && costOfCells('mutate', cells, costMax) > costMax
}

export function isWideChange(parts: readonly RowPart[], costMax: number): boolean {
  if (!mayPartsBeWide(parts, costMax)) return false
  let cost = 0
  for (const { operations } of parts) {
    for (const { kind, cells } of operations) {
      cost += costOfCells(kind, cells, costMax)
      if (cost > costMax) return true
    }
  }
  return false
}

function mayPartsBeWide(parts: readonly RowPart[], costMax: number): boolean {
  let bytes = 0
  for (const { operations } of parts) {
    for (const { cells } of operations) {
      bytes += cells.byteLength
      if (mayBeWide(bytes, costMax)) return true
    }
  }
  return false
}

/** Most changes are too small for their cells to be counted. */
export function mayBeWide(bytes: number, costMax: number): boolean {
  return bytes > (costMax * CELL_BYTES_MIN) / READ_COST
}

/** Not counted far beyond `costMax`. */
function costOfCells(kind: RowOperation['kind'], cells: CellBlock, costMax: number): number {
  const cursor = new CellCursor(cells)
  let cost = 0
  while (cost <= costMax && cursor.next()) cost += kind === 'mutate' ? costOf(cursor) : READ_COST
  return cost
}
