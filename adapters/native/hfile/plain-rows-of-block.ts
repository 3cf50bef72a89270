import { isSameColumn } from '../../../src/model/same-column.ts'
import {
  isBeforeOther,
  isFull,
  isRowBefore,
  isSameRow,
  type PlainRowsTarget,
  plainCellBytes,
  ROW_BYTES_MAX,
  ROW_CELLS_MAX,
} from '../cells/plain-cells.ts'
import { endOfColumn } from './column-end.ts'
import type { DataBlock } from './data-block.ts'

/**
 * Adds the rows of puts from cells[from] on; returns the index of the first cell that was not passed over. It stops before a row that has other
 * cells, and before the block's last row, which may go on in the next block.
 */
export function addPlainRows(
  block: DataBlock,
  from: number,
  hasTags: boolean,
  target: PlainRowsTarget,
): number {
  const { cells, count, memory } = block
  const { view, buffer } = memory
  const { stopRow, counts, otherRow } = target
  const looksForOther = otherRow !== undefined && !isBeforeOther(buffer, view, cells[count - 1]!, otherRow)
  const looksForStop = stopRow.length > 0 && !isRowBefore(buffer, view, cells[count - 1]!, stopRow)
  let at = from
  while (!isFull(target)) {
    if (looksForStop && !isRowBefore(buffer, view, cells[at]!, stopRow)) return at
    const before = target.cells.count
    const end = addRow(block, at, hasTags, target)
    if (end < 0) {
      target.cells.rewind(before)
      return at
    }
    counts.push(target.cells.count - before)
    at = end
    if (looksForOther && !isBeforeOther(buffer, view, cells[at]!, otherRow)) return at
  }
  return at
}

/** Index of the cell behind the row; -1 where it is not the whole row of puts. */
function addRow(block: DataBlock, from: number, hasTags: boolean, target: PlainRowsTarget): number {
  const { cells, count, memory } = block
  const { view } = memory
  const rowBytes = view.getUint16(cells[from]! + 8)
  const bytesEnd = target.cells.cellBytes + ROW_BYTES_MAX
  for (let at = from; at - from < ROW_CELLS_MAX && target.cells.cellBytes < bytesEnd; ) {
    const cell = cells[at]!
    const bytes = plainCellBytes(view, cell, rowBytes)
    if (bytes < 0 || (hasTags && view.getUint16(cell + bytes) !== 0)) return -1
    target.cells.add(memory, cell, bytes)
    if (++at === count) return -1
    if (!isSameRow(view, cell, view, cells[at]!, rowBytes)) return at
    if (!isSameColumn(view, cell, view, cells[at]!)) continue
    at = endOfColumn(block, at)
    if (at === count) return -1
    if (!isSameRow(view, cell, view, cells[at]!, rowBytes)) return at
  }
  return -1
}
