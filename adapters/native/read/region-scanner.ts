import { isPause, Turn } from '../../../src/filter/turns/turn.ts'
import { HBaseError } from '../../../src/model/errors.ts'
import type { LoopTurns } from '../../../src/model/loop-turns.ts'
import type { Scan } from '../../../src/model/query.ts'
import { NO_RESULTS } from '../../../src/model/results.ts'
import type { ScatteredCells } from '../../../src/model/scattered-cells.ts'
import type { ScanLimits } from '../../../src/store/handouts.ts'
import type { CellRun } from '../cells/cell-run.ts'
import { createRowOrder } from './create-row-order.ts'
import { asOfTimestamp, familyReads } from './family-reads.ts'
import type { BlocksRead, FamilyRuns, ScanContext } from './family-runs.ts'
import { FilteredRows } from './filtered-rows.ts'
import { Loans } from './loans.ts'
import { MatchedRows } from './matched-rows.ts'
import { PlainBatch } from './plain-batch.ts'
import type { PlainLimits } from './plain-rows.ts'
import { NO_BATCH_YET, type RegionBatch } from './region-batch.ts'
import { ResultsOfBatch } from './results-of-batch.ts'
import type { RowOrder } from './row-order.ts'
import { RUNS_AT_ONCE, RunPlacing } from './run-placing.ts'
import { createScanFilter, type ScanFilter } from './scan-filter.ts'
import { ScannedFamilies } from './scanned-families.ts'
import { ScannedRows } from './scanned-rows.ts'

/** The time of the event loop that a slice may take, in milliseconds, before it ends, within a row or a cell too. */
const SLICE_MS = 20
/** Bytes of blocks to read, returned or not, or of results, before the slice ends with the row. */
const SLICE_BLOCK_BYTES = 4 * 1024 * 1024
const INITIAL_BLOCK_BYTES = 16 * 1024
/** A reversed scan finds the row before in so many runs in some microseconds. */
const FEW_RUNS = 8
/** The batch of a region that has no more results. */
const END_OF_REGION: RegionBatch = { results: NO_RESULTS, more: false, partial: undefined }

/** Where a slice ends with the row. */
interface SliceEnd {
  /** By the number of cells read in the region. */
  readonly cellsEnd: number
  /** By the bytes of blocks read. */
  readonly blockBytesEnd: number
}

/**
 * A scan of one region: the rows of its runs at the read point, as the query wants them, in batches. HBase:
 * RegionScannerImpl. It chooses a RowOrder to find rows and a RowSource to read them, and applies the limits of the batch.
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
  readonly #filtered: FilteredRows | undefined
  readonly #rows: ScannedRows
  readonly #loans: Loans
  readonly #monotonicMs: () => number
  readonly #blocks: BlocksRead
  #hasReplacedRuns = false
  /** Undefined where the runs are few. */
  readonly #placing: RunPlacing | undefined
  /** A row may take long: a filter's, and that of a reversed scan, which looks at all runs. */
  readonly #looksAtClock: boolean
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
      this.#rows = new ScannedRows(this.#families, this.#filtered ?? rows, reads, scan)
    } catch (error) {
      this.#families.close()
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
    const { blockBytes = SLICE_BLOCK_BYTES } = limits
    const end: SliceEnd = {
      cellsEnd: this.#families.cellsSeen + cellsMax,
      blockBytesEnd: this.#blocks.blockBytesRead + Math.min(SLICE_BLOCK_BYTES, blockBytes),
    }
    // Where cells count more than their bytes, a result may end at each.
    const mayBePlain = this.#rows.mayBePlain && (limits.cellBytes ?? 0) === 0
    if (!mayBePlain) return this.#nextCopied(limits, end, [])
    if (this.#rows.isWithinRow) return this.#nextCopied(limits, end, [], this.#loans.memory.takePlaces())
    return begun === undefined ? this.#nextPlain(limits, end) : this.#addPlain(begun, limits, end)
  }

  /** Number of cells read so far, returned or not. */
  get cellsSeen(): number {
    return this.#families.cellsSeen
  }

  /** Number of rows that have ended after cells of them were handed out. */
  get rows(): number {
    return this.#rows.count
  }

  /** Number of rows read so far, returned or not. */
  get rowsSeen(): number {
    return this.#rows.seen
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
    return this.#rows.count === 0 && this.#filter?.isDone === true
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
    this.#hasReplacedRuns ||= !this.#rows.finished
    if (!this.#rows.finished) this.#families.rest()
  }

  close(): void {
    this.#rows.finished = true
    this.#families.close()
  }

  /** Notes the places of plain cells and copies them only once the batch is complete, or meets a row that is not plain. */
  #nextPlain(limits: ScanLimits, end: SliceEnd): RegionBatch {
    const batch = new PlainBatch(this.#loans)
    const { places, counts } = batch
    const { rows, allowPartial, allowScattered } = limits
    const plainLimits = this.#plainLimits(rows, Math.max(1, limits.bytes), allowPartial, end)
    this.#rows.readPlain(places, counts, plainLimits)
    const isWhole = counts.length > 0 && this.#endsPlain(batch, rows, plainLimits)
    if (!isWhole) return this.#nextCopied(limits, end, counts, places)
    if (allowScattered === true) batch.keep(this.#families)
    const results = allowScattered === true ? batch.lent() : batch.gathered()
    return { results, more: !this.#rows.finished, partial: undefined }
  }

  /** Adds plain rows to a batch; the results are those from the first row on that is not plain. */
  #addPlain(begun: PlainBatch, limits: ScanLimits, end: SliceEnd): RegionBatch {
    const { places, counts } = begun
    const [rowsBefore, bytesBefore] = [counts.length, places.byteLength]
    const bytesEnd = bytesBefore + Math.max(1, limits.bytes)
    const plainLimits = this.#plainLimits(limits.rows, bytesEnd, limits.allowPartial, end, bytesBefore)
    this.#rows.readPlain(places, counts, plainLimits)
    if (counts.length > rowsBefore) begun.keep(this.#families)
    if (this.#endsPlain(begun, rowsBefore + limits.rows, plainLimits))
      return this.#rows.finished ? END_OF_REGION : NO_BATCH_YET
    const rows = limits.rows - counts.length + rowsBefore
    const bytes = bytesEnd - places.byteLength
    return this.#nextCopied({ ...limits, rows, bytes }, end, [], this.#loans.memory.takePlaces())
  }

  /** Limits of plain rows whose slice began when the places had `bytesBefore` bytes. */
  #plainLimits(
    rows: number,
    bytesEnd: number,
    allowPartial: boolean,
    end: SliceEnd,
    bytesBefore = 0,
  ): PlainLimits {
    const cutBytes = allowPartial ? bytesEnd : Number.POSITIVE_INFINITY
    const bytes = Math.min(bytesEnd, bytesBefore + SLICE_BLOCK_BYTES)
    return { rows, bytes, cutBytes, blocks: this.#blocks, ...end }
  }

  /** True at the limits and at the end of the region; false where the source has begun the next row. */
  #endsPlain({ counts, places }: PlainBatch, rowsEnd: number, limits: PlainLimits): boolean {
    const isFull = counts.length >= rowsEnd || places.byteLength >= limits.bytes || this.#isSliceOver(limits)
    if (isFull) this.#lookAhead()
    return isFull || this.#rows.finished || !this.#rows.start()
  }

  #isSliceOver({ cellsEnd, blockBytesEnd }: SliceEnd): boolean {
    return this.#families.cellsSeen >= cellsEnd || this.#blocks.blockBytesRead >= blockBytesEnd
  }

  /** HBase looks for the next row before it answers, and saves its clients a call at the end: RegionScannerImpl.nextInternal. */
  #lookAhead(): void {
    const rows = this.#rows
    if (!rows.isWithinRow && !this.#scan.reversed && this.#order.first() === undefined) rows.finished = true
  }

  /** `places`: the cells that the batch begins with; `counts`: each result's number of them. */
  #nextCopied(limits: ScanLimits, end: SliceEnd, counts: number[], places?: ScatteredCells): RegionBatch {
    const { allowPartial, cellBytes = 0 } = limits
    const rows = this.#rows
    const { memory } = this.#loans
    const bytesMax = Math.max(1, limits.bytes)
    let isResumed = this.#unfinished !== undefined
    const batch =
      this.#unfinished ?? new ResultsOfBatch(memory.take(Math.min(bytesMax + 1024, this.#blockBytes)))
    this.#unfinished = undefined
    batch.begin(counts, bytesMax)
    if (places !== undefined) batch.target.appendScattered(places)
    const ms = this.#turns?.begin() ?? SLICE_MS
    const lateAt = this.#looksAtClock ? this.#monotonicMs() + ms : undefined
    this.#turn.begin(ms)
    // A result that goes on is to end first, however full the batch is.
    while (!rows.finished && counts.length < limits.rows && (isResumed || !batch.isFull(cellBytes))) {
      if (places === undefined || !this.#appendPlain(batch, counts, places, limits, end)) {
        if (!rows.isWithinRow && (this.#families.cellsSeen >= end.cellsEnd || !rows.start())) break
        if (isResumed) isResumed = false
        else {
          batch.beginResult()
          this.#filtered?.beginResult(batch.target)
        }
        const rowEnded = this.#readResult(batch, allowPartial, cellBytes)
        if (rowEnded === undefined) {
          this.#unfinished = batch
          return { results: batch.takeFinished(this.#loans), more: true, partial: batch.partial }
        }
        rows.handOut(batch.endResult(rowEnded), rowEnded)
      }
      if (this.#blocks.blockBytesRead >= end.blockBytesEnd || batch.byteLength >= SLICE_BLOCK_BYTES) break
      if (lateAt !== undefined && this.#monotonicMs() >= lateAt) break
    }
    if (places !== undefined) memory.giveBackPlaces(places)
    this.#lookAhead()
    // The next batch is likely to be as large, and growing a block copies it.
    this.#blockBytes = Math.max(this.#blockBytes, batch.byteLength + (batch.byteLength >> 3))
    return { results: batch.take(this.#loans), more: !rows.finished, partial: batch.partial }
  }

  /** Copies plain rows behind those of the batch; false if the next row is none. `places`: for their cells. */
  #appendPlain(
    { target, lengthMax, byteLength }: ResultsOfBatch,
    counts: number[],
    places: ScatteredCells,
    { rows, allowPartial }: ScanLimits,
    end: SliceEnd,
  ): boolean {
    if (this.#rows.isWithinRow || !this.#rows.mayBePlain) return false
    const before = counts.length
    places.clear()
    const limits = this.#plainLimits(rows - before, lengthMax - target.length, allowPartial, end, -byteLength)
    this.#rows.readPlain(places, counts, limits)
    target.appendScattered(places)
    return counts.length > before
  }

  /** Undefined where the turn has ended within the result. */
  #readResult(batch: ResultsOfBatch, allowPartial: boolean, cellBytes: number): boolean | undefined {
    try {
      if (allowPartial && cellBytes > 0)
        return batch.readByCell(this.#rows.source, cellBytes, this.#scan.batch)
      return this.#rows.source.readResult(
        batch.target,
        allowPartial ? batch.lengthMax : Number.POSITIVE_INFINITY,
      )
    } catch (error) {
      if (isPause(error)) return undefined
      throw error
    }
  }
}
