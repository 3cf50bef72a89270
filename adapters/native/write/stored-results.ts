/** The answer to an increment or an append: its new cells, as they were stored, without their tags. */

import { type CellBlock, type CellBlockBuilder, CellCursor } from '../../../src/model/cell-block.ts'
import type { RowMutation } from '../../../src/model/mutation.ts'
import type { MutationPreparer } from './mutation-preparer.ts'

/** Less is copied. */
const SHARED_BYTES_MIN = 64 * 1024

/** Whether the client is answered by all cells that are stored, and by no others. */
export function areStored({ operations, withTags, returnResults }: RowMutation): boolean {
  const [only, other] = operations
  if (only === undefined || other !== undefined || withTags === true || returnResults === false) return false
  return only.kind !== 'mutate' && only.returnResults !== false
}

/** Gives the results the prepared cells, which have been stored. Large ones are not copied: the preparer goes on in other memory. */
export function appendStored(preparer: MutationPreparer, results: CellBlockBuilder): void {
  const { cells } = preparer
  const { buffer, length, count } = cells
  const isWorthIt = length >= SHARED_BYTES_MIN && length * 2 > buffer.length
  if (isWorthIt && !haveTags(cells.block())) {
    preparer.handOver()
    results.buffer = buffer
    results.length = length
    results.count = count
    return
  }
  const cursor = new CellCursor(cells.block())
  while (cursor.next()) {
    const { cell, valueOffset, valueLength } = cursor
    results.appendCell(buffer, cell, valueOffset + valueLength - cell)
  }
}

function haveTags(cells: CellBlock): boolean {
  const cursor = new CellCursor(cells)
  while (cursor.next()) if (cursor.tagsBytes > 0) return true
  return false
}
