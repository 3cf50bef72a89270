import type { CellCursor } from '../model/cell-block.ts'

/** The row of the present cell, in memory of its own. */
export function rowOfCell({ buffer, rowOffset, rowLength }: CellCursor): Buffer {
  return Buffer.from(buffer.subarray(rowOffset, rowOffset + rowLength))
}
