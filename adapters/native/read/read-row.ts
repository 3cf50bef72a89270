import type { CellBlockBuilder } from '../../../src/model/cell-block.ts'
import type { Get } from '../../../src/model/query.ts'
import { CellMerge } from './cell-merge.ts'
import { type FamilyRead, familyReads, matcherOf, openRuns, timesRead } from './family-reads.ts'
import type { FamilyRuns, ReadContext } from './family-runs.ts'
import { FamilyScanner } from './family-scanner.ts'
import { RowKey } from './row-key.ts'
import { SeekKey } from './seek-key.ts'

/**
 * Appends what a get finds and returns how many cells that is. `families`: those of the table, in byte order. Throws
 * NO_SUCH_COLUMN_FAMILY.
 */
export function readRow(
  families: readonly FamilyRuns[],
  get: Get,
  context: ReadContext,
  target: CellBlockBuilder,
): number {
  const before = target.count
  const row = new RowKey()
  row.set(get.row, 0, get.row.length)
  const key = new SeekKey()
  key.firstOfRow(get.row)
  for (const read of familyReads(families, get)) readFamily(read, get, context, row, key, target)
  return target.count - before
}

function readFamily(
  read: FamilyRead,
  get: Get,
  context: ReadContext,
  row: RowKey,
  key: SeekKey,
  target: CellBlockBuilder,
): void {
  const { rules, runs } = read.family
  const times = timesRead(get, rules)
  const iterators = openRuns(
    runs,
    context.readPoint,
    (run) => run.mayHaveRow(get.row) && run.mayHaveTimes(times),
  )
  if (iterators.length === 0) return
  const matcher = matcherOf(read, get, false, context.now)
  const cells = new CellMerge(iterators)
  try {
    cells.seek(key.buffer, 0)
    const family = new FamilyScanner(cells, matcher, row, get.familyOffset, get.familyLimit, true)
    family.startRow()
    family.readRow(target, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY)
  } finally {
    cells.close()
  }
}
