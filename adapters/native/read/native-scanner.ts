import { FilterPreparation, type PreparedFilter } from '../../../src/filter/evaluate/prepared-filter.ts'
import { HBaseError } from '../../../src/model/errors.ts'
import type { Scan } from '../../../src/model/query.ts'
import { type BatchEnd, NO_RESULTS, type ScanBatch } from '../../../src/model/results.ts'
import { regionsOfScan } from '../../../src/query/row-range.ts'
import type { Call } from '../../../src/store/call.ts'
import type { ScanLimits } from '../../../src/store/handouts.ts'
import { type Clock, monotonicMs } from '../platform/file-system.ts'
import type { ScanContext } from './family-runs.ts'
import { joinInSteps } from './join-slices.ts'
import type { Loans } from './loans.ts'
import type { HeldRegion, ReadRegion } from './read-region.ts'
import type { RegionBatch } from './region-batch.ts'
import { RegionScanner } from './region-scanner.ts'

/** Bytes of cells to gather before other requests have their turn. */
const SLICE_BYTES = 4 * 1024 * 1024
/** Number of cells between two checks of a time limit: hbase.cells.scanned.per.heartbeat.check. */
const TIMED_CELLS = 10_000

type SeenOfBatch = Pick<ScanBatch, 'cellsSeen' | 'rowsSeen'>

export interface NativeScannerParts {
  readonly context: ScanContext & Required<Pick<ScanContext, 'blocks' | 'turns'>> & { readonly loans: Loans }
  readonly clock: Clock
  /** Cells to read, returned or not, before other requests have their turn. */
  readonly sliceCells: number
  /** Throws if the regions cannot be read any more, or no caller waits for the answer. */
  readonly check: (call: Call) => void
  /** True once `check` refuses every call, since other regions have taken the place of these or none has. */
  readonly isGone: () => boolean
}

/**
 * A scan over regions, one after the other, of the cells that were there when it was opened. The event loop runs between
 * its slices, so that a scan over many hidden cells does not keep other requests waiting.
 */
export class NativeScanner {
  readonly #scan: Scan
  readonly #parts: NativeScannerParts
  readonly #context: ScanContext
  /** The unread regions, in the scan's order. */
  readonly #regions: HeldRegion[]
  /** Give up the read point of each region of the scan, those that were read too. */
  readonly #giveUpReadPoints: (() => void)[]
  #open: RegionScanner | undefined
  /** The filter of the region that is opened next; undefined where the filter is made with each region's scanner. */
  #prepared: PreparedFilter | undefined
  /** The next region waits for its filter. */
  #preparation: FilterPreparation | undefined
  #rowsLeft: number
  /** The slices of the present batch so far. */
  readonly #slices: RegionBatch[] = []
  /** ScanBatch.rowsUnread of the present batch so far. */
  #rowsUnread = 0
  /** See RegionScanner.endsTable. */
  #isTableDone = false
  /** Bytes handed out since the event loop had its turn: awaiting batch after batch need not give it one. */
  #bytesInTurn = 0
  /** A call has lost rows. */
  #isBroken = false
  /** The last row read. */
  #position: Buffer | undefined

  /** Throws NO_SUCH_COLUMN_FAMILY, DO_NOT_RETRY. */
  constructor(regions: readonly ReadRegion[], scan: Scan, parts: NativeScannerParts) {
    this.#scan = scan
    this.#parts = parts
    this.#context = { ...parts.context, monotonicMs: () => monotonicMs(parts.clock) }
    this.#prepared = parts.context.prepared
    this.#rowsLeft = scan.limit
    const within = regionsOfScan(regions, scan)
    this.#regions = within.map((region) => region.hold((run, by) => this.#open?.replaceRun(run, by)))
    this.#giveUpReadPoints = within.map((region) => region.keepReadPoint(parts.context.readPoint))
    try {
      this.#openNext()
    } catch (error) {
      this.close()
      throw error
    }
  }

  #openNext(): void {
    const next = this.#regions[0]
    const isAsItWas = this.#rowsLeft === this.#scan.limit
    const scan = isAsItWas ? this.#scan : { ...this.#scan, limit: this.#rowsLeft }
    const context =
      this.#prepared === undefined ? this.#context : { ...this.#context, prepared: this.#prepared }
    this.#open = next && new RegionScanner(next.families, scan, context)
  }

  /** Opens the next region as #openNext does, or begins to make the region's filter if that is large. */
  #openLater(): void {
    const { random } = this.#context
    const query = this.#regions.length > 0 && this.#prepared !== undefined ? this.#scan : undefined
    this.#preparation = query && FilterPreparation.of(query, random, () => monotonicMs(this.#parts.clock))
    if (this.#preparation === undefined) this.#openNext()
  }

  /** Ends what #openLater has begun. */
  async #openPrepared(preparation: FilterPreparation, call: Call): Promise<void> {
    const { turns } = this.#parts.context
    const prepared = await turns.run(preparation.inSteps(), () => this.#resumed(call))
    if (this.#preparation !== preparation) return
    this.#preparation = undefined
    this.#prepared = prepared
    this.#openNext()
  }

  /** As Handouts.next. `returned` must be called once it has settled. */
  async next(limits: ScanLimits, call: Call): Promise<ScanBatch> {
    const { check, clock, context } = this.#parts
    const { blocks, turns } = context
    check(call)
    if (this.#isBroken) throw lostRows()
    if (this.#bytesInTurn >= SLICE_BYTES || turns.isUsedUp) await this.#pause(call)
    // The call before may have ended while it was made.
    while (this.#preparation !== undefined) await this.#openPrepared(this.#preparation, call)
    const { allowPartial, allowScattered = false, timeMs, cellBytes = 0 } = limits
    let blockBytes = limits.blockBytes ?? Number.POSITIVE_INFINITY
    const timeEnd = timeMs === undefined ? Number.POSITIVE_INFINITY : monotonicMs(clock) + timeMs
    let { rows } = limits
    let bytes = Math.max(1, limits.bytes)
    const seen = { cellsSeen: 0, rowsSeen: 0 }
    while (this.#open !== undefined) {
      const region = this.#open
      seen.cellsSeen -= region.cellsSeen
      seen.rowsSeen -= region.rowsSeen
      const slice = { rows, bytes, allowPartial, allowScattered, timeMs, blockBytes, cellBytes }
      blockBytes += blocks.blockBytesRead
      const { results, more } = this.#nextSlice(region, slice)
      blockBytes -= blocks.blockBytesRead
      seen.cellsSeen += region.cellsSeen
      seen.rowsSeen += region.rowsSeen
      rows -= results.counts.length
      bytes -= results.cells.byteLength
      if (cellBytes > 0) for (const count of results.counts) bytes -= count * cellBytes
      const isFull = more ? rows <= 0 || bytes <= 0 : this.#slices.length > 0
      if (isFull || blockBytes <= 0 || (timeMs !== undefined && monotonicMs(clock) >= timeEnd)) {
        return this.#batch(more ? 'batch' : this.#endOfRegion(), seen, call)
      }
      // Behind the answer: rows that wait here would be lost if the call ended meanwhile.
      while (this.#preparation !== undefined) await this.#openPrepared(this.#preparation, call)
      if (this.#open !== undefined) await this.#pause(call)
    }
    return this.#batch('scan', seen, call)
  }

  #endOfRegion(): BatchEnd {
    return this.#open === undefined && this.#preparation === undefined ? 'scan' : 'region'
  }

  /** Opens the next region at the end of one, where `more` is false. */
  #nextSlice(region: RegionScanner, limits: ScanLimits): RegionBatch {
    const { sliceCells } = this.#parts
    const cells = limits.timeMs === undefined ? sliceCells : Math.min(sliceCells, TIMED_CELLS)
    // If partial rows are allowed, a byte limit for the slice would end it within a row.
    if (!limits.allowPartial && limits.bytes > SLICE_BYTES) limits = { ...limits, bytes: SLICE_BYTES }
    const slice = region.next(limits, cells)
    this.#bytesInTurn += slice.results.cells.byteLength
    this.#regions[0]!.requests.reads += slice.results.counts.length
    if (slice.results.counts.length > 0) this.#slices.push(slice)
    if (!slice.more) {
      this.#position = region.lastRow() ?? this.#position
      this.#rowsUnread += region.rowsUnread
      this.#isTableDone = region.endsTable
      if (this.#scan.limit > 0) this.#rowsLeft -= region.rows
      if (this.#isTableDone) this.#releaseAll()
      else this.#closeRegion()
      const isAtLimit = this.#scan.limit > 0 && this.#rowsLeft <= 0
      if (!isAtLimit) this.#openLater()
    }
    return slice
  }

  #batch(ended: BatchEnd, seen: SeenOfBatch, call: Call): ScanBatch | Promise<ScanBatch> {
    const slices = this.#slices
    this.#position = this.#open?.lastRow() ?? this.#position
    const position = this.#position
    const rowsUnread = this.#rowsUnread
    this.#rowsUnread = 0
    if (slices.length === 0) {
      const isTableDone = ended === 'scan' && this.#isTableDone
      return { results: NO_RESULTS, ended, partial: undefined, ...seen, rowsUnread, isTableDone, position }
    }
    const batchOf = ({ results, partial }: Omit<RegionBatch, 'more'>): ScanBatch => {
      slices.length = 0
      return { results, ended, partial, ...seen, rowsUnread, position }
    }
    if (slices.length === 1) return batchOf(slices[0]!)
    const { loans, turns } = this.#parts.context
    return turns.run(joinInSteps([...slices], loans), () => this.#resumed(call)).then(batchOf)
  }

  /** Lets the event loop run. Meanwhile the regions may go, or the scanner be closed: then nothing is open. */
  async #pause(call: Call): Promise<void> {
    const { turns } = this.#parts.context
    await turns.next()
    turns.begin()
    this.#resumed(call)
  }

  #resumed(call: Call): void {
    this.#bytesInTurn = 0
    this.#parts.check(call)
  }

  #closeRegion(): void {
    this.#open?.close()
    this.#open = undefined
    this.#regions.shift()?.release()
  }

  /** Bytes of blocks that the scanner keeps in memory between its batches. */
  get heldBytes(): number {
    return this.#open?.heldBytes ?? 0
  }

  /** Lets go of blocks; the next batch reads them again. */
  rest(): void {
    this.#open?.rest()
  }

  /** Ends the scan where a call has failed with rows in its hands. */
  returned(): void {
    if (this.#slices.length === 0) return
    this.#isBroken = true
    this.close()
  }

  closeIfGone(): void {
    if (this.#parts.isGone()) this.close()
  }

  /** Safe to call twice. */
  close(): void {
    this.#slices.length = 0
    this.#preparation = undefined
    for (const giveUp of this.#giveUpReadPoints) giveUp()
    this.#releaseAll()
  }

  #releaseAll(): void {
    this.#open?.close()
    this.#open = undefined
    for (const region of this.#regions) region.release()
    this.#regions.length = 0
  }
}

/** A call that failed halfway has lost rows: the client must open a new scanner behind the last row that it has. */
function lostRows(): HBaseError {
  return new HBaseError('UNKNOWN_SCANNER', 'rows of this scanner were lost with a call that failed')
}
