import { createScanEvaluator } from '../../../src/filter/evaluate/create-scan-evaluator.ts'
import { passingRows } from '../../../src/filter/passing-rows.ts'
import { compareRange } from '../../../src/model/bytes.ts'
import { CellBlock, CellBlockBuilder } from '../../../src/model/cell-block.ts'
import type { ScatteredCells } from '../../../src/model/scattered-cells.ts'
import { HBaseError } from '../../../src/model/errors.ts'
import type { Scan } from '../../../src/model/query.ts'
import type { ScanBatch } from '../../../src/model/results.ts'
import type { ScanLimits } from '../../../src/store.ts'
import { BlockMemory } from './block-memory.ts'
import type { CellMerge } from './cell-merge.ts'
import {
  type FamilyRead,
  familyReads,
  matcherOf,
  mayHaveRowsOf,
  openMerge,
  timesRead,
} from './family-reads.ts'
import type { FamilyRuns, ReadContext } from './family-runs.ts'
import { FamilyScanner } from './family-scanner.ts'
import { FilteredRow } from './filtered-row.ts'
import { LentCells } from './lent-cells.ts'
import { type PlainLimits, PlainRows, readsPlainRows } from './plain-rows.ts'
import { RowKey } from './row-key.ts'
import { RowRangeCursor } from './row-range-cursor.ts'
import { ScanFilter } from './scan-filter.ts'
import { SeekKey } from './seek-key.ts'

const INITIAL_BLOCK_BYTES = 16 * 1024

/**
 * A scan of one region: the rows that its runs hold at the read point, as the query wants them, in batches. HBase:
 * RegionScannerImpl.
 *
 * It reads the runs that it was made with until it is closed and never looks at others: writes, flushes and compactions
 * after that cannot tear a row. In return whoever owns the runs keeps their cells as they are until then, even after the
 * region has replaced them.
 */
export class RegionScanner {
  readonly #scan: Scan
  readonly #families: FamilyScanner[] = []
  readonly #filter: ScanFilter | undefined
  /** Families that are read only of rows that pass the filter. */
  readonly #others: FamilyScanner[] = []
  /** Goes over rows that cannot pass the filter. */
  #ranges: RowRangeCursor | undefined
  /** Reads rows of which the filter must see all before any of it is handed out. */
  #filteredRow: FilteredRow | undefined
  /** The row that is read; families check their cells against it. */
  readonly #row = new RowKey()
  readonly #key = new SeekKey()
  /** Where in `families` the present row goes on; -1: between rows. */
  #family = -1
  /** Cells of the present row that were handed out. */
  #rowCells = 0
  /** Rows of which cells were handed out. */
  #rows = 0
  #finished = false
  readonly #memory: BlockMemory
  #plain: PlainRows | undefined
  /** What a batch's block is made with. */
  #blockBytes = INITIAL_BLOCK_BYTES

  /**
   * `families`: those of the table, in byte order. The scan's rows are to be within the region. Throws
   * NO_SUCH_COLUMN_FAMILY, DO_NOT_RETRY for a raw scan that names columns or a reversed one whose filter wants families on
   * demand, and as createScanEvaluator for its filter.
   */
  constructor(families: readonly FamilyRuns[], scan: Scan, context: ReadContext) {
    this.#scan = scan
    this.#memory = context.blockMemory ?? new BlockMemory()
    const reads = familyReads(families, scan)
    if (scan.raw && reads.some((read) => read.qualifiers !== undefined)) {
      throw new HBaseError('DO_NOT_RETRY', 'Cannot specify any column for a raw scan')
    }
    if (scan.filter !== undefined) {
      const evaluator = createScanEvaluator(scan.filter, scan.reversed, scan.batch)
      this.#filter = new ScanFilter(evaluator, scan.reversed)
      const ranges = passingRows(scan.filter)
      if (ranges !== undefined) this.#ranges = new RowRangeCursor(ranges, scan.reversed)
    }
    try {
      for (const read of reads) this.#openFamily(read, context)
      this.#seekFirstRow()
      this.#filteredRow = this.#readerOfWholeRows()
      const only = this.#families.length === 1 ? this.#families[0]!.cells.onlyIterator : undefined
      if (only !== undefined && readsPlainRows(reads, scan)) this.#plain = new PlainRows(only)
    } catch (error) {
      this.close()
      throw error
    }
  }

  #openFamily(read: FamilyRead, context: ReadContext): void {
    const scan = this.#scan
    const { rules, runs } = read.family
    const filter = this.#filter
    const isEssential = filter === undefined || filter.evaluator.isFamilyEssential(rules.name)
    if (!isEssential && scan.reversed) {
      throw new HBaseError('DO_NOT_RETRY', 'Reverse scan with loading CFs on demand is not supported')
    }
    const times = timesRead(scan, rules)
    const candidates = runs.filter((run) => mayHaveRowsOf(run, scan) && run.mayHaveTimes(times))
    const cells = openMerge(candidates, context.readPoint)
    if (cells === undefined) return
    const matcher = matcherOf(read, scan, scan.raw, context.now, filter?.evaluator)
    const { familyOffset, familyLimit, reversed } = scan
    const families = isEssential ? this.#families : this.#others
    families.push(new FamilyScanner(cells, matcher, this.#row, familyOffset, familyLimit, reversed, filter))
  }

  #readerOfWholeRows(): FilteredRow | undefined {
    const filter = this.#filter
    // A filter that sees no row as a whole, yet can do without a family, includes nothing of that family.
    if (filter?.evaluator.hasFilterRow !== true) return undefined
    return new FilteredRow(filter, this.#row, this.#families, this.#others)
  }

  #seekFirstRow(): void {
    const { startRow, includeStartRow, reversed } = this.#scan
    const key = new SeekKey()
    if (!reversed) {
      if (includeStartRow || startRow.length === 0) key.firstOfRow(startRow)
      else key.afterRow(startRow)
      for (const { cells } of this.#families) cells.seek(key.buffer, 0)
      for (const { cells } of this.#others) cells.seek(key.buffer, 0)
      return
    }
    // The greatest row up to and with startRow is the greatest before startRow's immediate successor.
    const before =
      includeStartRow && startRow.length > 0 ? Buffer.concat([startRow, Buffer.alloc(1)]) : startRow
    for (const { cells } of this.#families) cells.seekPreviousRow(before)
  }

  /**
   * The next results, as many as the limits allow. `more` is false only where the scan is known to have ended; after
   * some `cellsMax` cells have been looked at the batch ends with the row, be it empty, so that a scan over what is
   * mostly hidden can be run in slices.
   */
  next(limits: ScanLimits, cellsMax: number = Number.POSITIVE_INFINITY): ScanBatch {
    const cellsEnd = this.#cellsSeen() + cellsMax
    const plain = limits.allowPartial || this.#family >= 0 ? undefined : this.#plain
    return plain?.helps === true
      ? this.#nextPlain(plain, limits, cellsEnd)
      : this.#nextMatched(limits, cellsEnd, [])
  }

  /** The cells stay where the run has them, unless what is not plain comes in between. */
  #nextPlain(plain: PlainRows, limits: ScanLimits, cellsEnd: number): ScanBatch {
    const memory = this.#memory
    const places = memory.takePlaces()
    const counts: number[] = []
    const bytes = Math.max(1, limits.bytes)
    this.#readPlain(plain, places, counts, { rows: limits.rows, bytes, cellsSeen: cellsEnd })
    const isFull =
      this.#finished ||
      counts.length >= limits.rows ||
      places.blockBytes >= bytes ||
      this.#cellsSeen() >= cellsEnd
    if (counts.length === 0 || (!isFull && this.#startRow())) {
      return this.#nextMatched(limits, cellsEnd, counts, places)
    }
    const lent = new LentCells(places, memory, this.#families[0]!.cells.iterator.lend())
    const cells = CellBlock.scattered(places, lent)
    return {
      results: { cells, counts, release: () => lent.release() },
      more: !this.#finished,
      partial: false,
    }
  }

  /** `places`: cells that the batch begins with, and `counts` how many each result has of them. */
  #nextMatched(limits: ScanLimits, cellsEnd: number, counts: number[], places?: ScatteredCells): ScanBatch {
    const bytesMax = Math.max(1, limits.bytes)
    const target = new CellBlockBuilder(this.#memory.take(Math.min(bytesMax + 1024, this.#blockBytes)))
    let partial = false
    if (places !== undefined) target.appendPlaces(places)
    while (!this.#finished && counts.length < limits.rows && target.length < bytesMax) {
      const plain = this.#plain
      if (this.#family < 0 && places !== undefined && plain?.helps === true) {
        places.clear()
        const before = counts.length
        const bytes = bytesMax - target.length
        this.#readPlain(plain, places, counts, { rows: limits.rows - before, bytes, cellsSeen: cellsEnd })
        target.appendPlaces(places)
        if (counts.length > before) continue
      }
      if (this.#family < 0 && (this.#cellsSeen() >= cellsEnd || !this.#startRow())) break
      const before = target.count
      const rowEnded = this.#readResult(target, limits.allowPartial ? bytesMax : Number.POSITIVE_INFINITY)
      const count = target.count - before
      if (count > 0) counts.push(count)
      this.#rowCells += count
      partial = !rowEnded && count !== this.#scan.batch
      if (rowEnded) this.#endRow()
    }
    if (places !== undefined) this.#memory.giveBackPlaces(places)
    // The next batch is likely to be as large: to grow a block costs another copy of it.
    this.#blockBytes = Math.max(this.#blockBytes, target.length + (target.length >> 3))
    const release = (): void => this.#memory.giveBack(target.buffer)
    return { results: { cells: target.block(), counts, release }, more: !this.#finished, partial }
  }

  #readPlain(
    plain: PlainRows,
    target: ScatteredCells,
    counts: number[],
    limits: Omit<PlainLimits, 'stopRow'>,
  ): void {
    const { limit, stopRow } = this.#scan
    const before = counts.length
    const rows = limit > 0 ? Math.min(limits.rows, limit - this.#rows) : limits.rows
    const family = this.#families[0]!
    const cellsSeen = limits.cellsSeen - family.cellsSeen
    const other = plain.read(target, counts, { rows, cellsSeen, bytes: limits.bytes, stopRow })
    family.cells.resume()
    if (other !== undefined) {
      this.#key.firstOfRow(other)
      family.cells.seek(this.#key.buffer, 0)
    }
    this.#rows += counts.length - before
    if (limit > 0 && this.#rows >= limit) this.#finished = true
  }

  /**
   * True where nothing was found and the filter lets nothing through any more: then HBase ends the scan of the whole table,
   * and does not ask a new filter about the next region. HBase: RSRpcServices.scan.
   */
  get endsTable(): boolean {
    return this.#rows === 0 && this.#filter?.isDone === true
  }

  /** Cells looked at so far, shown or not. */
  #cellsSeen(): number {
    const families = this.#families
    if (families.length === 1 && this.#others.length === 0)
      return families[0]!.cellsSeen + (this.#plain?.cellsSeen ?? 0)
    let sum = 0
    for (let i = 0; i < families.length; i++) sum += families[i]!.cellsSeen
    for (let i = 0; i < this.#others.length; i++) sum += this.#others[i]!.cellsSeen
    return sum
  }

  close(): void {
    this.#finished = true
    for (const { cells } of this.#families) cells.close()
    for (const { cells } of this.#others) cells.close()
  }

  /** One result: the row, or what the batch and `length` let through of it. True where the row ended. */
  #readResult(target: CellBlockBuilder, length: number): boolean {
    if (this.#filter !== undefined && this.#rowCells === 0 && this.#readFiltered(this.#filter, target)) {
      return true
    }
    const { batch } = this.#scan
    const start = target.length
    const before = target.count
    const count = batch > 0 ? before + batch : Number.POSITIVE_INFINITY
    const families = this.#families
    for (; this.#family < families.length; this.#family++) {
      if (!families[this.#family]!.readRow(target, count, length)) return false
    }
    // Filters that need not see the whole row are asked about it all the same, as in HBase.
    if (this.#filter !== undefined && target.count > before && this.#filter.evaluator.filterRow()) {
      target.length = start
      target.count = before
    }
    return true
  }

  /** False where the filter leaves the row to be read cell by cell. */
  #readFiltered(filter: ScanFilter, target: CellBlockBuilder): boolean {
    if (filter.excludesRow(this.#leastFamily()!)) {
      this.#families[0]!.cellsSeen++
      if (filter.isDone) this.#finished = true
      else if (!this.#scan.reversed) this.#discardRow(filter, target)
      return true
    }
    this.#filteredRow?.read(target)
    return this.#filteredRow !== undefined
  }

  /** The filter is asked about the cells of a row that it has left out: its hints lead away from here. */
  #discardRow(filter: ScanFilter, target: CellBlockBuilder): void {
    filter.discards = true
    for (const family of this.#families) {
      family.readRow(target, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY)
    }
    filter.discards = false
  }

  /** On to the next row that any family has a cell of; false at the end of the scan. */
  #startRow(): boolean {
    const least = this.#ranges === undefined ? this.#leastFamily() : this.#leastWithin(this.#ranges)
    if (least === undefined || (this.#scan.stopRow.length > 0 && this.#isPastStop(least))) {
      this.#finished = true
      return false
    }
    this.#row.setToRowOf(least.buffer, least.cell)
    const families = this.#families
    if (families.length === 1) families[0]!.startRow(true)
    else for (let i = 0; i < families.length; i++) families[i]!.startRow(false)
    this.#family = 0
    this.#rowCells = 0
    return true
  }

  /** As #leastFamily, after all have moved to rows that may pass the filter. */
  #leastWithin(ranges: RowRangeCursor): CellMerge | undefined {
    for (;;) {
      const least = this.#leastFamily()
      if (least === undefined) return undefined
      const range = ranges.rangeAt(least)
      if (range === undefined || ranges.isWithin(least, range)) return range && least
      for (const { cells } of this.#families) if (cells.valid) ranges.seek(cells, range)
    }
  }

  /** The one that stands at the scan's next row. */
  #leastFamily(): CellMerge | undefined {
    const families = this.#families
    if (families.length === 1) {
      const { cells } = families[0]!
      return cells.valid ? cells : undefined
    }
    let least: CellMerge | undefined
    for (const { cells } of families) {
      if (cells.valid && (least === undefined || this.#isBefore(cells, least))) least = cells
    }
    return least
  }

  #endRow(): void {
    this.#family = -1
    if (this.#rowCells > 0) this.#rows++
    const filter = this.#filter
    if (filter !== undefined) {
      filter.evaluator.reset()
      if (filter.isDone) this.#finished = true
    }
    const { limit, reversed } = this.#scan
    if (limit > 0 && this.#rows >= limit) this.#finished = true
    else if (reversed && !this.#finished) this.#seekPreviousRow()
  }

  /** Families that had the row go to the one before; the others already stand at theirs. */
  #seekPreviousRow(): void {
    const row = this.#row.copy()
    for (const family of this.#families) if (family.hadRow) family.cells.seekPreviousRow(row)
  }

  #isBefore(a: CellMerge, b: CellMerge): boolean {
    const order = compareRange(
      a.buffer,
      a.cell + 10,
      (a.buffer[a.cell + 8]! << 8) | a.buffer[a.cell + 9]!,
      b.buffer,
      b.cell + 10,
      (b.buffer[b.cell + 8]! << 8) | b.buffer[b.cell + 9]!,
    )
    return this.#scan.reversed ? order > 0 : order < 0
  }

  #isPastStop(cells: CellMerge): boolean {
    const { stopRow, includeStopRow, reversed } = this.#scan
    const { buffer, cell } = cells
    const length = (buffer[cell + 8]! << 8) | buffer[cell + 9]!
    const order = compareRange(buffer, cell + 10, length, stopRow, 0, stopRow.length)
    if (order === 0) return !includeStopRow
    return reversed ? order < 0 : order > 0
  }
}
