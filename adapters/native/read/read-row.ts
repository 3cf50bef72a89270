import type { CellBlockBuilder } from '../../../src/model/cell-block.ts'
import { type Get, scan } from '../../../src/model/query.ts'
import { gathered } from '../../../src/model/results.ts'
import { type FamilyRead, familyReads, matcherOf, openMerge, timesRead } from './family-reads.ts'
import type { FamilyRuns, ReadContext } from './family-runs.ts'
import { FamilyScanner } from './family-scanner.ts'
import { RegionScanner } from './region-scanner.ts'
import { RowKey } from './row-key.ts'
import { SeekKey } from './seek-key.ts'

/** Shared by all gets: a get is over before the next one starts. */
const firstOfRow = new SeekKey()

/**
 * Appends what a get finds and returns how many cells that is. `families`: those of the table, in byte order. Throws
 * NO_SUCH_COLUMN_FAMILY, and ILLEGAL_ARGUMENT for a filter that cannot be.
 */
export function readRow(
  families: readonly FamilyRuns[],
  get: Get,
  context: ReadContext,
  target: CellBlockBuilder,
): number {
  if (get.filter !== undefined) return readFilteredRow(families, get, context, target)
  const before = target.count
  const row = new RowKey(get.row)
  firstOfRow.firstOfRow(get.row)
  for (const read of familyReads(families, get)) readFamily(read, get, context, row, target)
  return target.count - before
}

/** What a filter makes of a row it makes of the row's scan. */
function readFilteredRow(
  families: readonly FamilyRuns[],
  get: Get,
  context: ReadContext,
  target: CellBlockBuilder,
): number {
  const ofRow = scan({ ...get, startRow: get.row, stopRow: get.row, includeStopRow: true })
  const scanner = new RegionScanner(families, ofRow, context)
  try {
    const { results } = scanner.next({ rows: 1, bytes: Number.POSITIVE_INFINITY, allowPartial: false })
    const { cells, counts } = gathered(results)
    const count = counts[0] ?? 0
    const at = target.reserve(cells.byteLength)
    cells.buffer.copy(target.buffer, at, cells.start, cells.end)
    target.length += cells.byteLength
    target.count += count
    if (results.loan !== undefined) context.loans?.release(results.loan)
    return count
  } finally {
    scanner.close()
  }
}

function readFamily(
  read: FamilyRead,
  get: Get,
  context: ReadContext,
  row: RowKey,
  target: CellBlockBuilder,
): void {
  const { rules, runs } = read.family
  const times = timesRead(get, rules)
  const candidates = runs.filter((run) => run.mayHaveRow(get.row) && run.mayHaveTimes(times))
  const cells = openMerge(candidates, context.readPoint)
  if (cells === undefined) return
  try {
    cells.seek(firstOfRow.buffer, 0)
    const matcher = matcherOf(read, get, false, context.now)
    const family = new FamilyScanner(cells, matcher, row, get.familyOffset, get.familyLimit, true)
    family.startRow(false)
    family.readRow(target, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY)
  } finally {
    cells.close()
  }
}
