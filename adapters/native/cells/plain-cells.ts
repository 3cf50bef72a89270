/** Rows of puts, which scans pass on as they are: the parts that each kind of run needs to find them. */

import { compareRange } from '../../../src/model/bytes.ts'
import { CELL_HEADER_BYTES, CellType, KEY_FIXED_BYTES } from '../../../src/model/cell.ts'
import type { ScatteredCells } from '../../../src/model/scattered-cells.ts'

/** The cell at which another run stands. */
export interface OtherRow {
  readonly buffer: Buffer
  readonly view: DataView
  readonly cell: number
  /** The row's bytes 0 to 3, 4 to 7 and 8 to 11, zeros after its end, biased so that signed order is byte order. */
  readonly word0: number
  readonly word1: number
  readonly word2: number
}

/** Where a run adds its rows, and when it must stop. */
export interface PlainRowsTarget {
  /** Gets the places of the cells. */
  readonly cells: ScatteredCells
  /** Gets each row's number of cells. */
  readonly counts: number[]
  /** The run stops where `counts` has so many rows. */
  readonly rowsEnd: number
  /** It stops where the cells have so many bytes in a block. */
  readonly bytesEnd: number
  /** It stops where `cells` has so many of them. */
  readonly cellsEnd: number
  /** It stops before this row; EMPTY: there is none. */
  readonly stopRow: Buffer
  /** It stops before this row, too, behind the first one that it adds; undefined: there is none. */
  readonly otherRow: OtherRow | undefined
}

/** A row of more cells is left to readers that can pause within it. */
export const ROW_CELLS_MAX = 1024
/** The same for the bytes of its cells. */
export const ROW_BYTES_MAX: number = 4 * 1024 * 1024

export function isFull({ cells, counts, rowsEnd, bytesEnd, cellsEnd }: PlainRowsTarget): boolean {
  return counts.length >= rowsEnd || cells.byteLength >= bytesEnd || cells.count >= cellsEnd
}

/** Bytes of the KeyValue, -1 where it is no put, or has the empty qualifier: family tombstones stand among those cells. */
export function plainCellBytes(view: DataView, cell: number, rowBytes: number): number {
  const keyBytes = view.getInt32(cell)
  if (view.getUint8(cell + 7 + keyBytes) !== CellType.Put) return -1
  if (keyBytes === KEY_FIXED_BYTES + rowBytes + view.getUint8(cell + 10 + rowBytes)) return -1
  return CELL_HEADER_BYTES + keyBytes + view.getInt32(cell + 4)
}

/** Whether two cells are of one row. Compares from the end: rows that follow each other mostly differ there. */
export function isSameRow(a: DataView, aCell: number, b: DataView, bCell: number, rowBytes: number): boolean {
  if (b.getUint16(bCell + 8) !== rowBytes) return false
  const aRow = aCell + 10
  const bRow = bCell + 10
  let i = rowBytes - 4
  // The last step overlaps with the one before it.
  for (; i > 0; i -= 4) if (a.getInt32(aRow + i) !== b.getInt32(bRow + i)) return false
  if (rowBytes >= 4) return a.getInt32(aRow) === b.getInt32(bRow)
  for (i = 0; i < rowBytes; i++) if (a.getUint8(aRow + i) !== b.getUint8(bRow + i)) return false
  return true
}

/** Whether the cell's row sorts before another one. */
export function isRowBefore(buffer: Buffer, view: DataView, cell: number, row: Buffer): boolean {
  return compareRange(buffer, cell + 10, view.getUint16(cell + 8), row, 0, row.length) < 0
}

const SIGN = 0x8000_0000 | 0

/** Whether the cell's row sorts before that of another run. */
export function isBeforeOther(buffer: Buffer, view: DataView, cell: number, other: OtherRow): boolean {
  const rowBytes = view.getUint16(cell + 8)
  if (rowBytes >= 12) {
    const word0 = view.getInt32(cell + 10) ^ SIGN
    if (word0 !== other.word0) return word0 < other.word0
    const word1 = view.getInt32(cell + 14) ^ SIGN
    if (word1 !== other.word1) return word1 < other.word1
    const word2 = view.getInt32(cell + 18) ^ SIGN
    if (word2 !== other.word2) return word2 < other.word2
  }
  const otherBytes = other.view.getUint16(other.cell + 8)
  return compareRange(buffer, cell + 10, rowBytes, other.buffer, other.cell + 10, otherBytes) < 0
}
