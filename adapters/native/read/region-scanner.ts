import { isPause, Turn } from '../../../src/filter/turns/turn.ts'
import { HBaseError } from '../../../src/model/errors.ts'
import type { LoopTurns } from '../../../src/model/loop-turns.ts'
import type { Scan } from '../../../src/model/query.ts'
import { NO_RESULTS } from '../../../src/model/results.ts'
import { PLACE_INTS, type ScatteredCells } from '../../../src/model/scattered-cells.ts'
import type { ScanLimits } from '../../../src/store/handouts.ts'
import type { CellRun } from '../cells/cell-run.ts'
import { createPlainRows } from './create-plain-rows.ts'
import { createRowOrder } from './create-row-order.ts'
import { asOfTimestamp, familyReads } from './family-reads.ts'
import type { FamilyRuns, ScanContext } from './family-runs.ts'
import { FilteredRows } from './filtered-rows.ts'
import { Loans } from './loans.ts'
import { MatchedRows } from './matched-rows.ts'
import { PlainBatch } from './plain-batch.ts'
import { type PlainReader, readsPlainRows } from './plain-rows.ts'
import { NO_BATCH_YET, type RegionBatch } from './region-batch.ts'
import { ResultsOfBatch } from './results-of-batch.ts'
import type { RowOrder } from './row-order.ts'
import type { RowSource } from './row-source.ts'
import { RUNS_AT_ONCE, RunPlacing } from './run-placing.ts'
import { createScanFilter, type ScanFilter } from './scan-filter.ts'
import { ScannedFamilies } from './scanned-families.ts'

/** The time of the event loop that a slice may take, in milliseconds, before it ends, within a row or a cell too. */
const SLICE_MS = 20
/** Bytes of blocks to read, returned or not, or of results, before the slice ends with the row. */
const SLICE_BLOCK_BYTES = 4 * 1024 * 1024
const INITIAL_BLOCK_BYTES = 16 * 1024
/** A reversed scan finds the row before in so many runs in some microseconds. */
const FEW_RUNS = 8
/** The batch of a region that has no more results. */
const END_OF_REGION: RegionBatch = { results: NO_RESULTS, more: false, partial: undefined }

/**
 * A scan of one region: the rows of its runs at the read point, as the query wants them, in batches. HBase:
 * RegionScannerImpl. It chooses a RowOrder to find rows and a RowSource (and PlainRows if they help) to read them, and
 * applies the limits of batch and scan.
 *
 * It reads only the runs that it was made with, so that later writes, flushes and compactions cannot tear a row. The owner
 * of the runs must keep their cells until the scanner is closed, even after the region has replaced the runs.
 */
export class RegionScanner {
  readonly #scan: Scan
  readonly #families = new ScannedFamilies()
  readonly #filter: ScanFilter | undefined
  readonly #turn: Turn
  readonly #turns: LoopTurns | undefined
  readonly #order: RowOrder
  readonly #source: RowSource
  readonly #filtered: FilteredRows | undefined
  /** Reads rows of puts faster than the source; between rows both stand at the same place. */
  readonly #plain: PlainReader | undefined
  readonly #loans: Loans
  readonly #monotonicMs: () => number
  readonly #blocks: NonNullable<ScanContext['blocks']>
  #hasReplacedRuns = false
  /** Undefined where the runs are few. */
  readonly #placing: RunPlacing | undefined
  /** A row may take long: a filter's, and that of a reversed scan, which looks at all runs. */
  readonly #looksAtClock: boolean
  #isWithinRow = false
  /** Number of cells of the present row that were handed out. */
  #rowCells = 0
  #rows = 0
  /** Number of rows read so far, returned or not. */
  rowsSeen = 0
  #finished = false
  /** The batch whose last result goes on in the next one, as the slice has ended within it. */
  #unfinished: ResultsOfBatch | undefined
  /** First size of a batch's block. */
  #blockBytes = INITIAL_BLOCK_BYTES

  /**
   * `families`: the table's, in byte order. The scan's rows must be within the region. Throws NO_SUCH_COLUMN_FAMILY,
   * DO_NOT_RETRY for a raw scan that names columns or a reversed one whose filter wants families on demand, and as
   * createScanEvaluator for its filter.
   */
  constructor(families: readonly FamilyRuns[], scan: Scan, context: ScanContext) {
    this.#scan = scan
    this.#loans = context.loans ?? new Loans()
    this.#monotonicMs = context.monotonicMs ?? ((): number => 0)
    this.#blocks = context.blocks ?? { blockBytesRead: 0 }
    const reads = familyReads(families, scan)
    if (scan.raw && reads.some((read) => read.qualifiers !== undefined)) {
      throw new HBaseError('DO_NOT_RETRY', 'Cannot specify any column for a raw scan')
    }
    this.#turn = context.prepared?.turn ?? context.turn ?? new Turn(context.monotonicMs)
    this.#turns = context.turns
    this.#filter = createScanFilter(scan, context, this.#turn)
    try {
      for (const read of reads) this.#families.open(read, scan, context, this.#turn, this.#filter)
      this.#order = createRowOrder(this.#families, scan, context)
      const { runCount } = this.#families
      this.#looksAtClock = this.#filter !== undefined || (scan.reversed && runCount > FEW_RUNS)
      if (runCount <= RUNS_AT_ONCE) this.#order.seekFirstRow()
      else this.#placing = new RunPlacing(this.#families, this.#order, this.#monotonicMs)
      const rows = new MatchedRows(this.#families, this.#order, scan.batch)
      if (this.#filter !== undefined)
        this.#filtered = new FilteredRows(rows, this.#families, this.#filter, asOfTimestamp(scan))
      this.#source = this.#filtered ?? rows
      if (readsPlainRows(reads, scan)) this.#plain = createPlainRows(this.#families, scan)
    } catch (error) {
      this.close()
      throw error
    }
  }

  /**
   * The next results, as many as the limits of rows and bytes allow. After about `cellsMax` read cells the batch ends with
   * the row, even without results, so that a scan over mostly hidden cells can run in slices; SLICE_BLOCK_BYTES also end it. The end of
   * the turn ends it within a row, where that has many cells or a filter has much to do: the next batch goes on there.
   *
   * `begun`: gets the plain rows before the results, and may have rows of other regions; the limits do not count these.
   */
  next(limits: ScanLimits, cellsMax: number = Number.POSITIVE_INFINITY, begun?: PlainBatch): RegionBatch {
    if (this.#placing?.goOn(this.#hasReplacedRuns, this.#turns) === false) return NO_BATCH_YET
    if (this.#hasReplacedRuns) {
      this.#families.resumeReplaced()
      this.#hasReplacedRuns = false
    }
    const cellsEnd = this.#families.cellsSeen + cellsMax
    const mayBePlain = !limits.allowPartial && !this.#isWithinRow && (limits.cellBytes ?? 0) === 0
    const plain = mayBePlain ? this.#plain : undefined
    if (plain?.helps !== true) return this.#nextCopied(limits, cellsEnd, [])
    return begun === undefined
      ? this.#nextPlain(plain, limits, cellsEnd)
      : this.#addPlain(plain, begun, limits, cellsEnd)
  }

  /** Number of cells read so far, returned or not. */
  get cellsSeen(): number {
    return this.#families.cellsSeen
  }

  /** Number of rows that have ended after cells of them were handed out. */
  get rows(): number {
    return this.#rows
  }

  /** Number of rows seen at whose key the filter ended the scan. */
  get rowsUnread(): number {
    return this.#filtered?.rowsUnread ?? 0
  }

  /** The last row read; undefined before the first. */
  lastRow(): Buffer | undefined {
    const { row } = this.#families
    return row.length === 0 ? undefined : row.copy()
  }

  /** True if the region gave no row and its filter lets nothing more through, which ends the scan of the table. HBase: RSRpcServices.scan. */
  get endsTable(): boolean {
    return this.#rows === 0 && this.#filter?.isDone === true
  }

  /** Does not read the run any more, whose memory goes: the next batch goes on in the other run, which has the same cells. */
  replaceRun(run: CellRun, by: CellRun | undefined): void {
    this.#hasReplacedRuns = true
    this.#families.replaceRun(run, by)
  }

  /** Bytes of blocks that the scanner keeps in memory. */
  get heldBytes(): number {
    return this.#families.heldBytes
  }

  /** Lets go of blocks; the next batch reads them again. */
  rest(): void {
    this.#hasReplacedRuns ||= !this.#finished
    if (!this.#finished) this.#families.rest()
  }

  close(): void {
    this.#finished = true
    this.#families.close()
  }

  /** Notes the places of plain cells and copies them only once the batch is complete, or meets a row that is not plain. */
  #nextPlain(plain: PlainReader, limits: ScanLimits, cellsEnd: number): RegionBatch {
    const batch = new PlainBatch(this.#loans)
    const { places, counts } = batch
    const bytes = Math.max(1, limits.bytes)
    this.#readPlain(plain, places, counts, limits.rows, bytes, cellsEnd)
    const isFull = counts.length >= limits.rows || places.byteLength >= bytes
    if (counts.length === 0 || !this.#endsPlain(isFull, cellsEnd))
      return this.#nextCopied(limits, cellsEnd, counts, places)
    if (limits.allowScattered === true) batch.keep(this.#families)
    const results = limits.allowScattered === true ? batch.lent() : batch.gathered()
    return { results, more: !this.#finished, partial: undefined }
  }

  /** Adds plain rows to a batch; the results are those from the first row on that is not plain. */
  #addPlain(plain: PlainReader, begun: PlainBatch, limits: ScanLimits, cellsEnd: number): RegionBatch {
    const { places, counts } = begun
    const [rowsBefore, bytesBefore] = [counts.length, places.byteLength]
    const bytesMax = Math.max(1, limits.bytes)
    this.#readPlain(plain, places, counts, limits.rows, bytesBefore + bytesMax, cellsEnd)
    const rows = limits.rows - counts.length + rowsBefore
    const bytes = bytesMax - places.byteLength + bytesBefore
    if (counts.length > rowsBefore) begun.keep(this.#families)
    if (!this.#endsPlain(rows <= 0 || bytes <= 0, cellsEnd))
      return this.#nextCopied({ ...limits, rows, bytes }, cellsEnd, [], this.#loans.memory.takePlaces())
    return this.#finished ? END_OF_REGION : NO_BATCH_YET
  }

  /** True at the limits and at the end of the region; false where the next row is to be read by the source. */
  #endsPlain(isFull: boolean, cellsEnd: number): boolean {
    return isFull || this.#finished || this.#families.cellsSeen >= cellsEnd || !this.#startRow()
  }

  /** `places`: the cells that the batch begins with; `counts`: each result's number of them. */
  #nextCopied(limits: ScanLimits, cellsEnd: number, counts: number[], places?: ScatteredCells): RegionBatch {
    const { rows, blockBytes = SLICE_BLOCK_BYTES, cellBytes = 0 } = limits
    const { memory } = this.#loans
    const bytesMax = Math.max(1, limits.bytes)
    let isResumed = this.#unfinished !== undefined
    const batch =
      this.#unfinished ?? new ResultsOfBatch(memory.take(Math.min(bytesMax + 1024, this.#blockBytes)))
    this.#unfinished = undefined
    batch.begin(counts, bytesMax)
    const { target } = batch
    if (places !== undefined) target.appendScattered(places)
    const blocks = this.#blocks
    const blockBytesEnd = blocks.blockBytesRead + Math.min(SLICE_BLOCK_BYTES, blockBytes)
    const ms = this.#turns?.begin() ?? SLICE_MS
    const lateAt = this.#looksAtClock ? this.#monotonicMs() + ms : undefined
    this.#turn.begin(ms)
    // A result that goes on is to end first, however full the batch is.
    while (!this.#finished && counts.length < rows && (isResumed || !batch.isFull(cellBytes))) {
      const plain = this.#plain
      if (!this.#isWithinRow && places !== undefined && plain?.helps === true) {
        places.clear()
        const before = counts.length
        this.#readPlain(plain, places, counts, rows - before, batch.lengthMax - target.length, cellsEnd)
        target.appendScattered(places)
        if (counts.length > before) continue
      }
      if (!this.#isWithinRow && (this.#families.cellsSeen >= cellsEnd || !this.#startRow())) break
      if (isResumed) isResumed = false
      else {
        batch.beginResult()
        this.#filtered?.beginResult(target)
      }
      const rowEnded = this.#readResult(batch, limits.allowPartial, cellBytes)
      if (rowEnded === undefined) {
        this.#unfinished = batch
        return { results: batch.takeFinished(this.#loans), more: true, partial: batch.partial }
      }
      this.#rowCells += batch.endResult(rowEnded)
      if (rowEnded) this.#endRow()
      if (blocks.blockBytesRead >= blockBytesEnd || batch.byteLength >= SLICE_BLOCK_BYTES) break
      if (lateAt !== undefined && this.#monotonicMs() >= lateAt) break
    }
    if (places !== undefined) memory.giveBackPlaces(places)
    // HBase looks for the next row before it answers, and saves its clients a call at the end: RegionScannerImpl.nextInternal.
    if (!this.#isWithinRow && !this.#scan.reversed && this.#order.first() === undefined) this.#finished = true
    // The next batch is likely to be as large, and growing a block copies it.
    this.#blockBytes = Math.max(this.#blockBytes, batch.byteLength + (batch.byteLength >> 3))
    return { results: batch.take(this.#loans), more: !this.#finished, partial: batch.partial }
  }

  /** Undefined where the turn has ended within the result. */
  #readResult(batch: ResultsOfBatch, allowPartial: boolean, cellBytes: number): boolean | undefined {
    try {
      if (allowPartial && cellBytes > 0) return batch.readByCell(this.#source, cellBytes, this.#scan.batch)
      return this.#source.readResult(batch.target, allowPartial ? batch.lengthMax : Number.POSITIVE_INFINITY)
    } catch (error) {
      if (isPause(error)) return undefined
      throw error
    }
  }

  #readPlain(
    plain: PlainReader,
    target: ScatteredCells,
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
    this.rowsSeen += counts.length - before
    if (counts.length > before) this.#standAtLast(target)
    if (limit > 0 && this.#rows >= limit) this.#finished = true
  }

  /** Notes the row of the last cell added. */
  #standAtLast({ entries, memories, count }: ScatteredCells): void {
    const last = (count - 1) * PLACE_INTS
    this.#families.row.setToRowOf(memories[entries[last]!]!.buffer, entries[last + 1]!)
  }

  /** False at the end of the scan. */
  #startRow(): boolean {
    if (!this.#source.startRow()) {
      this.#finished = true
      return false
    }
    this.#isWithinRow = true
    this.rowsSeen++
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
