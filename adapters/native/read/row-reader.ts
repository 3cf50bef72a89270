import type { CellBlockBuilder } from '../../../src/model/cell-block.ts'
import type { Get } from '../../../src/model/query.ts'
import type { RandomSource } from '../platform/file-system.ts'
import { createMatcher, type FamilyRead, familyReads, openMerge, timesRead } from './family-reads.ts'
import type { FamilyRuns, ReadContext, ScanContext } from './family-runs.ts'
import { FamilyScanner } from './family-scanner.ts'
import { FilteredGet } from './filtered-get.ts'
import { NOT_PLAIN, PlainGet, readsPlainRow } from './plain-get.ts'
import { RowKey } from './row-key.ts'
import { SeekKey } from './seek-key.ts'

/** Reads single rows of a region, one after the other. */
export class RowReader {
  /** Key of the row's first place. Gets can share it: each ends before the next one starts. */
  readonly #firstOfRow = new SeekKey()
  readonly #plainGet = new PlainGet()
  readonly #random: RandomSource

  /** `random`: for filters that let rows through at random. */
  constructor(random: RandomSource) {
    this.#random = random
  }

  /**
   * Appends the cells that a get finds and returns their number. `families`: the table's, in byte order. Throws
   * NO_SUCH_COLUMN_FAMILY, ILLEGAL_ARGUMENT for an impossible filter, and DO_NOT_RETRY for a raw get that names columns.
   */
  read(families: readonly FamilyRuns[], get: Get, context: ReadContext, target: CellBlockBuilder): number {
    if (get.filter !== undefined || get.raw === true) {
      return readRowByScan(families, get, { ...context, random: this.#random }, target)
    }
    const { count, length } = target
    this.#firstOfRow.firstOfRow(get.row)
    for (const read of familyReads(families, get)) {
      if (this.#readPlain(read, get, context, target)) continue
      if (get.visibility !== undefined) {
        target.count = count
        target.length = length
        return readRowByScan(families, get, { ...context, random: this.#random }, target)
      }
      this.#readMatched(read, get, context, target)
    }
    return target.count - count
  }

  /** A get with a filter, which may pause. */
  begin(families: readonly FamilyRuns[], get: Get, context: Omit<ScanContext, 'random'>): FilteredGet {
    return new FilteredGet(families, get, { ...context, random: this.#random })
  }

  /** False where the row has cells that need the matcher. Cells that the reader may not see are among these. */
  #readPlain(read: FamilyRead, get: Get, context: ReadContext, target: CellBlockBuilder): boolean {
    if (!readsPlainRow(read, get)) return false
    const { runs } = read.family
    return this.#plainGet.read(runs, get, this.#firstOfRow, context.readPoint, target) !== NOT_PLAIN
  }

  #readMatched(read: FamilyRead, get: Get, context: ReadContext, target: CellBlockBuilder): void {
    const { rules, runs } = read.family
    const times = timesRead(get, rules)
    const candidates = runs.filter((run) => run.mayHaveTimes(times) && run.mayHaveRow(get.row))
    const cells = openMerge(candidates, context.readPoint, get)
    if (cells === undefined) return
    try {
      cells.seek(this.#firstOfRow.buffer, 0)
      const matcher = createMatcher(read, get, false, context.now)
      const family = new FamilyScanner(
        cells,
        matcher,
        new RowKey(get.row),
        get.familyOffset,
        get.familyLimit,
        true,
      )
      family.startRow(false)
      family.readRow(target, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY)
    } finally {
      cells.close()
    }
  }
}

function readRowByScan(
  families: readonly FamilyRuns[],
  get: Get,
  context: ScanContext,
  target: CellBlockBuilder,
): number {
  const reading = new FilteredGet(families, get, context)
  try {
    for (;;) {
      const count = reading.next(target)
      if (count !== undefined) return count
    }
  } finally {
    reading.close()
  }
}
