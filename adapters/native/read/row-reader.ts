import { FilterPreparation } from '../../../src/filter/evaluate/prepared-filter.ts'
import { isPause, Turn } from '../../../src/filter/turns/turn.ts'
import type { CellBlockBuilder } from '../../../src/model/cell-block.ts'
import type { FamilyColumns, Get } from '../../../src/model/query.ts'
import { SeekKey } from '../cells/seek-key.ts'
import type { RandomSource } from '../platform/file-system.ts'
import { createMatcher, type FamilyRead, familyReads, openMerge, timesRead } from './family-reads.ts'
import type { FamilyRuns, ReadContext, ScanContext } from './family-runs.ts'
import { FamilyScanner } from './family-scanner.ts'
import { FilteredGet } from './filtered-get.ts'
import { NOT_PLAIN, PlainGet, RUNS_MAX, readsPlainRow, TOO_WIDE } from './plain-get.ts'
import { RowKey } from './row-key.ts'

/** More cells of a family are read in several turns of the event loop. */
const NARROW_CELLS_MAX = 16_384

/** The most cells that the matcher must look at, one by one. */
const MATCHED_CELLS_MAX = 4096
/** More columns by name, too: each may take a search. */
const NARROW_COLUMNS_MAX = 1024

/** Reads single rows of a region, one after the other. */
export class RowReader {
  /** Key of the row's first place. Gets can share it: each ends before the next one starts. */
  readonly #firstOfRow = new SeekKey()
  readonly #plainGet = new PlainGet()
  readonly #random: RandomSource
  /** The turn of reads that no number of cells ends. */
  readonly #endless = new Turn()
  /** Is over after MATCHED_CELLS_MAX units. */
  readonly #narrow = new Turn(() => 0, MATCHED_CELLS_MAX)

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
    const count = this.#readFamilies(families, get, context, target, Number.POSITIVE_INFINITY)
    if (count >= 0) return count
    return readRowByScan(families, get, { ...context, random: this.#random }, target)
  }

  /**
   * Reads as `read` does, for a get that may pause. Returns TOO_WIDE, and leaves the target as it was, if the get may take longer than a
   * turn of the event loop: then call `begin`.
   */
  readNarrow(
    families: readonly FamilyRuns[],
    get: Get,
    context: ReadContext,
    target: CellBlockBuilder,
  ): number {
    if (get.filter !== undefined || get.raw === true || get.columns.some(areMany)) return TOO_WIDE
    return this.#readFamilies(families, get, context, target, NARROW_CELLS_MAX)
  }

  /** TOO_WIDE: a scan of the row must read it. */
  #readFamilies(
    families: readonly FamilyRuns[],
    get: Get,
    context: ReadContext,
    target: CellBlockBuilder,
    cellsMax: number,
  ): number {
    const { count, length } = target
    this.#firstOfRow.firstOfRow(get.row)
    for (const read of familyReads(families, get)) {
      const found = this.#readPlain(read, get, context, target, cellsMax)
      if (found >= 0) continue
      const isRead =
        found === NOT_PLAIN &&
        get.visibility === undefined &&
        this.#readMatched(read, get, context, target, cellsMax)
      if (isRead) continue
      target.count = count
      target.length = length
      return TOO_WIDE
    }
    return target.count - count
  }

  /** As FilterPreparation.of. */
  prepare(get: Get, monotonicMs: () => number): FilterPreparation | undefined {
    return FilterPreparation.of(get, this.#random, monotonicMs)
  }

  /** A get that may pause. */
  begin(families: readonly FamilyRuns[], get: Get, context: Omit<ScanContext, 'random'>): FilteredGet {
    return new FilteredGet(families, get, { ...context, random: this.#random })
  }

  /** As PlainGet.read. Cells that the reader may not see need the matcher. */
  #readPlain(
    read: FamilyRead,
    get: Get,
    context: ReadContext,
    target: CellBlockBuilder,
    cellsMax: number,
  ): number {
    if (!readsPlainRow(read, get)) return NOT_PLAIN
    const { runs } = read.family
    return this.#plainGet.read(runs, get, this.#firstOfRow, context.readPoint, target, cellsMax)
  }

  /** False where the row has too many cells. */
  #readMatched(
    read: FamilyRead,
    get: Get,
    context: ReadContext,
    target: CellBlockBuilder,
    cellsMax: number,
  ): boolean {
    const { rules, runs } = read.family
    const times = timesRead(get, rules)
    const candidates = runs.filter((run) => run.mayHaveTimes(times) && run.mayHaveRow(get.row))
    const isEndless = cellsMax === Number.POSITIVE_INFINITY
    if (!isEndless && candidates.length > RUNS_MAX) return false
    const cells = openMerge(candidates, context.readPoint, get, true)
    if (cells === undefined) return true
    const turn = isEndless ? this.#endless : this.#narrow
    if (!isEndless) turn.begin(0)
    try {
      cells.seek(this.#firstOfRow.buffer, 0)
      const matcher = createMatcher(read, get, false, context.now)
      const family = new FamilyScanner(
        cells,
        matcher,
        new RowKey(get.row),
        turn,
        get.familyOffset,
        get.familyLimit,
        true,
      )
      family.startRow(false)
      family.readRow(target, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY)
      return true
    } catch (error) {
      if (isPause(error)) return false
      throw error
    } finally {
      cells.close()
    }
  }
}

function areMany({ qualifiers }: FamilyColumns): boolean {
  return qualifiers !== undefined && qualifiers.length > NARROW_COLUMNS_MAX
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
