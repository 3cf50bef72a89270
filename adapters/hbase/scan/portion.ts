/** What one step of a scan hands out of the results that are ready. */

import { CellBlock } from '../../../src/model/cell-block.ts'
import { NO_RESULTS, type Results } from '../../../src/model/results.ts'
import { afterCells, isOfRow, rowAt } from '../cells/cell-offsets.ts'

export interface Portion {
  readonly results: Results
  readonly rest: Results
  /** The last result is a part of the first of the rest. */
  readonly isCut: boolean
}

/**
 * Results from the first on: so many at most, and after the one that reaches `bytes` no more. `batch`: cells that a result
 * has at most; it begins anew where one was cut. `mayCut`: a result may end where it reaches the bytes.
 */
export function portionOf(
  ready: Results,
  limits: { readonly rows: number; readonly bytes: number; readonly mayCut: boolean },
  batch: number,
): Portion {
  const { cells, counts } = ready
  if (counts.length <= limits.rows && cells.byteLength <= limits.bytes) {
    return { results: ready, rest: NO_RESULTS, isCut: false }
  }
  const { buffer, start } = cells
  const end = start + limits.bytes
  const taken: number[] = []
  let at = start
  let left = 0
  while (taken.length < counts.length && taken.length < limits.rows && at < end) {
    left = counts[taken.length]!
    const whole = left
    for (; left > 0 && (at < end || !limits.mayCut); left--) at = afterCells(buffer, at, 1, cells.end)
    taken.push(whole - left)
  }
  const results = { cells: new CellBlock(buffer, start, at), counts: taken }
  const rest = { cells: new CellBlock(buffer, at, cells.end), counts: counts.slice(taken.length) }
  if (left === 0) return { results, rest: rest.counts.length > 0 ? rest : NO_RESULTS, isCut: false }
  return { results, rest: { cells: rest.cells, counts: rebatched(rest, left, batch) }, isCut: true }
}

/** The counts of a rest that begins with `left` cells of a result that was cut. */
function rebatched({ cells, counts }: Results, left: number, batch: number): number[] {
  if (batch <= 0) return [left, ...counts]
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
  return [...again, ofRow, ...counts.slice(next)]
}
