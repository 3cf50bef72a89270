import { EMPTY } from '../../../src/model/bytes.ts'
import { compareCells } from '../../../src/model/cell.ts'
import { CELL_PREFIX_BYTES, type CellBlock } from '../../../src/model/cell-block.ts'
import type { CellRun } from '../cells/cell-run.ts'

/** The tags of the cell with the key of the one in `key`; of several, those of the newest. */
export function newestTags(runs: readonly CellRun[], key: CellBlock): Buffer {
  let newest = -1
  let tags = EMPTY
  for (const run of runs) {
    const iterator = run.iterator(Number.POSITIVE_INFINITY)
    iterator.seek(key.buffer, key.start + CELL_PREFIX_BYTES)
    const isEqual =
      iterator.valid &&
      compareCells(iterator.buffer, iterator.cell, key.buffer, key.start + CELL_PREFIX_BYTES) === 0
    if (isEqual && iterator.sequenceId > newest) {
      newest = iterator.sequenceId
      tags = Buffer.from(iterator.buffer.subarray(iterator.tags, iterator.tags + iterator.tagsBytes))
    }
    iterator.close()
  }
  return tags
}
