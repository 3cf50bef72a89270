import { createScanEvaluator } from '../../../src/filter/evaluate/create-scan-evaluator.ts'
import { passingRows } from '../../../src/filter/passing-rows.ts'
import { CellBlock, CellBlockBuilder } from '../../../src/model/cell-block.ts'
import type { CellPlaces } from '../../../src/model/cell-places.ts'
import { HBaseError } from '../../../src/model/errors.ts'
import type { Scan } from '../../../src/model/query.ts'
import type { ScanBatch } from '../../../src/model/results.ts'
import type { ScanLimits } from '../../../src/store.ts'
import { BlockMemory } from './block-memory.ts'
import { familyReads } from './family-reads.ts'
import type { FamilyRuns, ScanContext } from './family-runs.ts'
import { FilteredRows } from './filtered-rows.ts'
import { ForwardOrder } from './forward-order.ts'
import { LentCells } from './lent-cells.ts'
import { MatchedRows } from './matched-rows.ts'
import { PlainRows, readsPlainRows } from './plain-rows.ts'
import { RangedOrder } from './ranged-order.ts'
import { ReversedOrder } from './reversed-order.ts'
import type { RowOrder } from './row-order.ts'
import { RowRangeCursor } from './row-range-cursor.ts'
import type { RowSource } from './row-source.ts'
import { ScanFilter } from './scan-filter.ts'
import { ScannedFamilies } from './scanned-families.ts'

const INITIAL_BLOCK_BYTES = 16 * 1024

/**
 * A scan of one region: the rows that its runs hold at the read point, as the query wants them, in batches. HBase:
 * RegionScannerImpl. It picks how rows are found (a RowOrder) and read (a RowSource, and PlainRows where they help), and
 * applies the limits of batch and scan.
 *
 * It reads the runs that it was made with until it is closed and never looks at others: writes, flushes and compactions
 * after that cannot tear a row. In return whoever owns the runs keeps their cells as they are until then, even after the
 * region has replaced them.
 */
export class RegionScanner {
  readonly #scan: Scan
  readonly #families = new ScannedFamilies()
  readonly #filter: ScanFilter | undefined
  readonly #source: RowSource
  /** Reads rows of puts faster than the source, whose place between rows it shares. */
  readonly #plain: PlainRows | undefined
  readonly #memory: BlockMemory
  #isWithinRow = false
  /** Cells of the present row that were handed out. */
  #rowCells = 0
  /** Rows of which cells were handed out. */
  #rows = 0
  #finished = false
  /** What a batch's block is made with. */
  #blockBytes = INITIAL_BLOCK_BYTES

  /**
   * `families`: those of the table, in byte order. The scan's rows are to be within the region. Throws
   * NO_SUCH_COLUMN_FAMILY, DO_NOT_RETRY for a raw scan that names columns or a reversed one whose filter wants families on
   * demand, and as createScanEvaluator for its filter.
   */
  constructor(families: readonly FamilyRuns[], scan: Scan, context: ScanContext) {
    this.#scan = scan
    this.#memory = context.blockMemory ?? new BlockMemory()
    const reads = familyReads(families, scan)
    if (scan.raw && reads.some((read) => read.qualifiers !== undefined)) {
      throw new HBaseError('DO_NOT_RETRY', 'Cannot specify any column for a raw scan')
    }
    this.#filter = scanFilterOf(scan, context)
    try {
      for (const read of reads) this.#families.open(read, scan, context, this.#filter)
      const order = rowOrderOf(this.#families, scan)
      order.seekFirstRow()
      const rows = new MatchedRows(this.#families, order, scan.batch)
      this.#source = this.#filter === undefined ? rows : new FilteredRows(rows, this.#families, this.#filter)
      if (readsPlainRows(reads, scan)) this.#plain = plainRowsOf(this.#families, scan)
    } catch (error) {
      this.close()
      throw error
    }
  }

  /**
   * The next results, as many as the limits allow. `more` is false only where the scan is known to have ended; after
   * some `cellsMax` cells have been looked at the batch ends with the row, be it empty, so that a scan over what is
   * mostly hidden can be run in slices.
   */
  next(limits: ScanLimits, cellsMax: number = Number.POSITIVE_INFINITY): ScanBatch {
    const cellsEnd = this.#families.cellsSeen + cellsMax
    const plain = limits.allowPartial || this.#isWithinRow ? undefined : this.#plain
    return plain?.helps === true
      ? this.#nextLent(plain, limits, cellsEnd)
      : this.#nextCopied(limits, cellsEnd, [])
  }

  /**
   * True where nothing was found and the filter lets nothing through any more: then HBase ends the scan of the whole table,
   * and does not ask a new filter about the next region. HBase: RSRpcServices.scan.
   */
  get endsTable(): boolean {
    return this.#rows === 0 && this.#filter?.isDone === true
  }

  close(): void {
    this.#finished = true
    this.#families.close()
  }

  /** The cells stay where the run has them, unless a row that is not plain comes in between. */
  #nextLent(plain: PlainRows, limits: ScanLimits, cellsEnd: number): ScanBatch {
    const memory = this.#memory
    const places = memory.takePlaces()
    const counts: number[] = []
    const bytes = Math.max(1, limits.bytes)
    this.#readPlain(plain, places, counts, limits.rows, bytes, cellsEnd)
    const isFull =
      this.#finished ||
      counts.length >= limits.rows ||
      places.blockBytes >= bytes ||
      this.#families.cellsSeen >= cellsEnd
    if (counts.length === 0 || (!isFull && this.#startRow())) {
      return this.#nextCopied(limits, cellsEnd, counts, places)
    }
    const lent = new LentCells(places, memory, this.#families.essential[0]!.cells.iterator.lend())
    const cells = CellBlock.scattered(places, lent)
    return {
      results: { cells, counts, release: () => lent.release() },
      more: !this.#finished,
      partial: false,
    }
  }

  /** `places`: cells that the batch begins with, and `counts` how many each result has of them. */
  #nextCopied(limits: ScanLimits, cellsEnd: number, counts: number[], places?: CellPlaces): ScanBatch {
    const { rows } = limits
    const bytesMax = Math.max(1, limits.bytes)
    const lengthMax = limits.allowPartial ? bytesMax : Number.POSITIVE_INFINITY
    const target = new CellBlockBuilder(this.#memory.take(Math.min(bytesMax + 1024, this.#blockBytes)))
    let partial = false
    if (places !== undefined) target.appendPlaces(places)
    while (!this.#finished && counts.length < rows && target.length < bytesMax) {
      const plain = this.#plain
      if (!this.#isWithinRow && places !== undefined && plain?.helps === true) {
        places.clear()
        const before = counts.length
        this.#readPlain(plain, places, counts, rows - before, bytesMax - target.length, cellsEnd)
        target.appendPlaces(places)
        if (counts.length > before) continue
      }
      if (!this.#isWithinRow && (this.#families.cellsSeen >= cellsEnd || !this.#startRow())) break
      const before = target.count
      const rowEnded = this.#source.readResult(target, lengthMax)
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
    target: CellPlaces,
    counts: number[],
    rowsMax: number,
    bytes: number,
    cellsEnd: number,
  ): void {
    const { limit } = this.#scan
    const before = counts.length
    const rows = limit > 0 ? Math.min(rowsMax, limit - this.#rows) : rowsMax
    plain.read(target, counts, { rows, bytes, cellsEnd })
    this.#rows += counts.length - before
    if (limit > 0 && this.#rows >= limit) this.#finished = true
  }

  /** False at the end of the scan. */
  #startRow(): boolean {
    if (!this.#source.startRow()) {
      this.#finished = true
      return false
    }
    this.#isWithinRow = true
    this.#rowCells = 0
    return true
  }

  #endRow(): void {
    this.#isWithinRow = false
    if (this.#rowCells > 0) this.#rows++
    const { limit } = this.#scan
    if (!this.#source.endRow() || (limit > 0 && this.#rows >= limit)) this.#finished = true
  }
}

function scanFilterOf({ filter, reversed, batch }: Scan, { random }: ScanContext): ScanFilter | undefined {
  return filter && new ScanFilter(createScanEvaluator(filter, reversed, batch, random), reversed)
}

function rowOrderOf(families: ScannedFamilies, scan: Scan): RowOrder {
  const { filter, reversed } = scan
  const order = reversed ? new ReversedOrder(families, scan) : new ForwardOrder(families, scan)
  const ranges = filter && passingRows(filter)
  return ranges === undefined ? order : new RangedOrder(order, new RowRangeCursor(ranges, reversed), families)
}

/** Undefined where more than one run is to be merged, or none. */
function plainRowsOf({ essential }: ScannedFamilies, { stopRow }: Scan): PlainRows | undefined {
  const family = essential.length === 1 ? essential[0]! : undefined
  const iterator = family?.cells.onlyIterator
  return family && iterator && new PlainRows(family, iterator, stopRow)
}
