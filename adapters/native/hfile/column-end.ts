import { isSameColumn } from '../../../src/model/same-column.ts'
import type { DataBlock } from './data-block.ts'

/** Index of the first cell after cells[at] that is of another column or row; the block's count if there is none. */
export function endOfColumn({ cells, count, memory: { view } }: DataBlock, at: number): number {
  const cell = cells[at]!
  let same = at
  let other = at + 1
  // Most columns have one version; the versions of the others are passed over in steps that double.
  for (let step = 1; other < count && isSameColumn(view, cell, view, cells[other]!); step *= 2) {
    same = other
    other += step
  }
  other = Math.min(other, count)
  while (same + 1 < other) {
    const middle = (same + other) >>> 1
    if (isSameColumn(view, cell, view, cells[middle]!)) same = middle
    else other = middle
  }
  return other
}
