/** Results of one scan that came in parts, as one: their cells are copied in steps, since an answer may have 100 MB of them. */

import { CellBlock } from './cell-block.ts'
import type { ScannedResults } from './results.ts'
import { PLACE_INTS, type ScatteredCells } from './scattered-cells.ts'
import type { Steps } from './steps.ts'
import type { ViewedBytes } from './viewed-bytes.ts'

/** Bytes of cells that are copied in one step: a fraction of a millisecond's work. */
const STEP_BYTES = 1024 * 1024
/** Results of one step. */
const STEP_RESULTS = 64 * 1024

/**
 * Copies the cells back to back, from `at` on, and returns the offset after them. The memory where they lie must not change between two
 * steps.
 */
export function* copyInSteps(
  cells: CellBlock | ScatteredCells,
  target: ViewedBytes,
  at: number,
): Steps<number> {
  if (!(cells instanceof CellBlock)) return yield* copyScattered(cells, target, at)
  let end = at
  for (let start = cells.start; start < cells.end; start += STEP_BYTES) {
    end += cells.buffer.copy(target.buffer, end, start, Math.min(cells.end, start + STEP_BYTES))
    yield
  }
  return end
}

function* copyScattered(cells: ScatteredCells, target: ViewedBytes, at: number): Steps<number> {
  const { count, entries } = cells
  let end = at
  for (let first = 0; first < count; ) {
    let next = first
    for (let bytes = 0; next < count && bytes < STEP_BYTES; next++) bytes += entries[next * PLACE_INTS + 2]!
    end = cells.copyTo(target, end, first, next)
    first = next
    yield
  }
  return end
}

export function bytesOf(parts: readonly ScannedResults[]): number {
  let bytes = 0
  for (const { cells } of parts) bytes += cells.byteLength
  return bytes
}

/** The numbers of cells of all results. Array.flatMap takes fifty times as long for each. */
export function* countsInSteps(parts: readonly ScannedResults[]): Steps<number[]> {
  const all: number[] = []
  for (const { counts } of parts) {
    for (let i = 0; i < counts.length; i++) {
      all.push(counts[i]!)
      if (i % STEP_RESULTS === STEP_RESULTS - 1) yield
    }
  }
  return all
}
