/** Cuts the portion of one step of a scan from the results that are ready. */

import { CellBlock } from '../../../src/model/cell-block.ts'
import { afterCells, isOfRow, rowAt } from '../cells/cell-offsets.ts'
import { type FetchedRows, NO_ROWS } from './fetched-rows.ts'

export interface Portion {
  readonly results: FetchedRows
  readonly rest: FetchedRows
}

export interface PortionLimits {
  readonly rows: number
  readonly bytes: number
  /** As ScanLimits.cellBytes. */
  readonly cellBytes?: number | undefined
  /** True: a result may be cut where it reaches `bytes`. */
  readonly mayCut: boolean
}

/**
 * The first results: at most `rows`, and none after the one that reaches `bytes`. `batch`: the most cells of a result. The rest of a cut
 * row is divided anew by it.
 */
export function takePortion(ready: FetchedRows, limits: PortionLimits, batch: number): Portion {
  const { cells, counts, partial, isStale } = ready
  const { cellBytes = 0 } = limits
  const bytes = cells.byteLength + (cellBytes === 0 ? 0 : cellBytes * cellsOf(counts))
  if (counts.length <= limits.rows && bytes <= limits.bytes) return { results: ready, rest: NO_ROWS }
  const { buffer, start } = cells
  let end = start + limits.bytes
  const taken: number[] = []
  let at = start
  let left = 0
  while (taken.length < counts.length && taken.length < limits.rows && at < end) {
    left = counts[taken.length]!
    const whole = left
    for (; left > 0 && (at < end || !limits.mayCut); left--) {
      at = afterCells(buffer, at, 1, cells.end)
      end -= cellBytes
    }
    taken.push(whole - left)
  }
  const before = new CellBlock(buffer, start, at)
  const behind = new CellBlock(buffer, at, cells.end)
  if (left > 0) {
    const flags = partial ?? counts.map(() => false)
    const cut = [...flags.slice(0, taken.length - 1), true]
    const rest = { cells: behind, counts: counts.slice(taken.length), partial: flags.slice(taken.length - 1) }
    return {
      results: { cells: before, counts: taken, partial: cut, isStale },
      rest: { ...rebatched(rest, left, batch), isStale },
    }
  }
  const results = { cells: before, counts: taken, partial: partial?.slice(0, taken.length), isStale }
  if (taken.length === counts.length) return { results, rest: NO_ROWS }
  const rest = {
    cells: behind,
    counts: counts.slice(taken.length),
    partial: partial?.slice(taken.length),
    isStale,
  }
  return { results, rest }
}

function cellsOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0)
}

/** The rest after a cut, divided anew by `batch`. It begins with `left` cells of the cut result, whose flag `partial` has and `counts` lacks. */
function rebatched(
  { cells, counts, partial }: Required<Pick<FetchedRows, 'cells' | 'counts' | 'partial'>>,
  left: number,
  batch: number,
): FetchedRows {
  if (batch <= 0) return { cells, counts: [left, ...counts], partial }
  const { buffer, start } = cells
  const row = rowAt(buffer, start)
  let at = afterCells(buffer, start, left, cells.end)
  let ofRow = left
  let next = 0
  while (at < cells.end && isOfRow(buffer, at, row)) {
    at = afterCells(buffer, at, counts[next]!, cells.end)
    ofRow += counts[next++]!
  }
  const again: number[] = []
  for (; ofRow > batch; ofRow -= batch) again.push(batch)
  return {
    cells,
    counts: [...again, ofRow, ...counts.slice(next)],
    partial: partial && [...again.map(() => true), ...partial.slice(next)],
  }
}
