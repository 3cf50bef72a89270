import { readInt32 } from './bytes.ts'
import { timestampOffset } from './cell.ts'
import { CELL_PREFIX_BYTES } from './cell-block.ts'
import type { MutationBatch } from './mutation.ts'
import { writeTimestamp } from './timestamp.ts'

/** Gives the timestamp to all cells of the batch from byte `start` on, in place of the timestamps that they had. */
export function stampCells({ cells }: MutationBatch, start: number, timestamp: bigint): void {
  const { buffer, length } = cells
  let at = start
  while (at < length) {
    const cell = at + CELL_PREFIX_BYTES
    writeTimestamp(buffer, timestampOffset(buffer, cell), timestamp)
    at = cell + readInt32(buffer, at)
  }
}
