/** Steps through received cell blocks, which RpcSocket has checked to be whole cells. */

import { equalRange, readInt32 } from '../../../src/model/bytes.ts'
import { rowLength, rowOffset } from '../../../src/model/cell.ts'
import { CELL_PREFIX_BYTES } from '../../../src/model/cell-block.ts'
import { HBaseError } from '../../../src/model/errors.ts'

/** The offset after `count` cells. Throws IO where there are fewer, since the server has then counted wrongly. */
export function afterCells(buffer: Buffer, start: number, count: number, end: number): number {
  let at = start
  for (let i = 0; i < count; i++) {
    if (at >= end) throw new HBaseError('IO', `A server answered ${i} cells of a result of ${count}`)
    at += CELL_PREFIX_BYTES + readInt32(buffer, at)
  }
  return at
}

/** The row of the cell whose length prefix is at `at`, as a view. */
export function rowAt(buffer: Buffer, at: number): Buffer {
  const start = rowOffset(at + CELL_PREFIX_BYTES)
  return buffer.subarray(start, start + rowLength(buffer, at + CELL_PREFIX_BYTES))
}

/** Whether the cell whose length prefix is at `at` belongs to the row. */
export function isOfRow(buffer: Buffer, at: number, row: Buffer): boolean {
  const cell = at + CELL_PREFIX_BYTES
  return equalRange(buffer, rowOffset(cell), rowLength(buffer, cell), row, 0, row.length)
}
