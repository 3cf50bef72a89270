import { FilterPreparation, type PreparedFilter } from '../../../src/filter/evaluate/prepared-filter.ts'
import { EMPTY } from '../../../src/model/bytes.ts'
import { HBaseError } from '../../../src/model/errors.ts'
import type { Scan } from '../../../src/model/query.ts'
import type { BatchEnd, ScanBatch } from '../../../src/model/results.ts'
import type { Call } from '../../../src/store/call.ts'
import type { ScanLimits } from '../../../src/store/handouts.ts'
import { type Clock, monotonicMs } from '../platform/file-system.ts'
import { BatchSlices, type JoinedSlices } from './batch-slices.ts'
import type { ScanContext } from './family-runs.ts'
import type { Loans } from './loans.ts'
import type { OnReplaced, ReadRegion } from './read-region.ts'
import { RegionScanner } from './region-scanner.ts'
import { UnreadRegions } from './unread-regions.ts'

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
 * A scan over regions, one after the other, of the cells that were there when it was opened. A batch goes on in the next region, as a table
 * may have thousands with a few rows each. The event loop runs between its slices, so that a scan over many hidden cells or many empty
 * regions does not keep other requests waiting.
 */
export class NativeScanner {
  #scan: Scan
  readonly #parts: NativeScannerParts
  readonly #context: ScanContext
  readonly #regions: UnreadRegions
  #open: RegionScanner | undefined
  /** The filter of the region that is opened next; undefined where the filter is made with each region's scanner. */
  #prepared: PreparedFilter | undefined
  /** The next region waits for its filter. */
  #preparation: FilterPreparation | undefined
  #rowsLeft: number
  /** The present batch so far. */
  readonly #slices: BatchSlices
  /** ScanBatch.rowsUnread of the present batch so far. */
  #rowsUnread = 0
  /** See RegionScanner.endsTable. */
  #isTableDone = false
  /** Bytes handed out since the event loop had its turn: awaiting batch after batch need not give it one. */
  #bytesInTurn = 0
  /** Cells that the present turn may still read, and the time until which it may go on in further regions. */
  #cellsLeft = 0
  #turnEndMs: number | undefined
  /** A call has lost rows. */
  #isBroken = false
  /** The last row read. */
  #position: Buffer | undefined

  /** Throws NO_SUCH_COLUMN_FAMILY, DO_NOT_RETRY. */
  constructor(regions: readonly ReadRegion[], scan: Scan, parts: NativeScannerParts) {
    this.#scan = scan
    this.#parts = parts
    this.#slices = new BatchSlices(parts.context.loans)
    this.#context = { ...parts.context, monotonicMs: () => monotonicMs(parts.clock) }
    this.#prepared = parts.context.prepared
    this.#rowsLeft = scan.limit
    const onReplaced: OnReplaced = (run, by) => this.#open?.replaceRun(run, by)
    this.#regions = new UnreadRegions(regions, scan, parts.context.readPoint, onReplaced)
    try {
      this.#openNext()
      this.#keepRegion()
    } catch (error) {
      this.close()
      throw error
    }
  }

  /** Must be called before the event loop runs. A region that is read to its end within a turn need not be held. */
  #keepRegion(): void {
    if (this.#open !== undefined) this.#regions.holdFirst()
  }

  #openNext(): void {
    const families = this.#regions.firstFamilies
    const isAsItWas = this.#rowsLeft === this.#scan.limit
    const scan = isAsItWas ? this.#scan : { ...this.#scan, limit: this.#rowsLeft }
    const context =
      this.#prepared === undefined ? this.#context : { ...this.#context, prepared: this.#prepared }
    this.#open = families && new RegionScanner(families, scan, context)
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
    this.#keepRegion()
  }

  /** As Handouts.next. `returned` must be called once it has settled. */
  async next(limits: ScanLimits, call: Call): Promise<ScanBatch> {
    const { check, clock, context } = this.#parts
    const { blocks, turns } = context
    check(call)
    if (this.#isBroken) throw lostRows()
    this.#regions.resume()
    if (this.#bytesInTurn >= SLICE_BYTES || turns.isUsedUp) await this.#pause(call)
    this.#beginTurn()
    // The call before may have ended while it was made, or have failed.
    while (this.#preparation !== undefined) await this.#openPrepared(this.#preparation, call)
    if (this.#open === undefined && this.#regions.length > 0) this.#openNext()
    const { rows, timeMs, allowPartial, allowScattered = false, cellBytes = 0 } = limits
    const batch = this.#slices
    let blockBytes = limits.blockBytes ?? Number.POSITIVE_INFINITY
    const timeEnd = timeMs === undefined ? Number.POSITIVE_INFINITY : monotonicMs(clock) + timeMs
    const bytesMax = Math.max(1, limits.bytes)
    const seen = { cellsSeen: 0, rowsSeen: 0 }
    try {
      while (this.#open !== undefined) {
        const region = this.#open
        const { cellsSeen, rowsSeen } = region
        const [rowsLeft, bytes] = [rows - batch.rows, bytesMax - batch.bytes]
        const slice = { rows: rowsLeft, bytes, allowPartial, allowScattered, timeMs, blockBytes, cellBytes }
        blockBytes += blocks.blockBytesRead
        const more = this.#nextSlice(region, slice)
        if (more === undefined) return this.#batch('region', seen, call)
        blockBytes -= blocks.blockBytesRead
        seen.cellsSeen += region.cellsSeen - cellsSeen
        seen.rowsSeen += region.rowsSeen - rowsSeen
        // A slice between two checks of the time is shorter than a turn.
        const isTimed = timeMs !== undefined && region.cellsSeen - cellsSeen >= TIMED_CELLS
        const mustWait = (more && !isTimed) || !this.#mayGoOn
        // Rows that wait at the end of a region would be lost if the call ended meanwhile: they are answered first.
        const isAnswered = !more && mustWait && batch.rows > 0
        const isFull = batch.rows >= rows || batch.bytes >= bytesMax || blockBytes <= 0
        if (isAnswered || isFull || (timeMs !== undefined && monotonicMs(clock) >= timeEnd)) {
          return this.#batch(more ? 'batch' : this.#endOfRegion(), seen, call)
        }
        while (this.#preparation !== undefined) await this.#openPrepared(this.#preparation, call)
        if (this.#open !== undefined && mustWait) await this.#pause(call)
      }
      return this.#batch(this.#endOfRegion(), seen, call)
    } finally {
      this.#keepRegion()
    }
  }

  #endOfRegion(): BatchEnd {
    return this.#regions.length === 0 ? 'scan' : 'region'
  }

  /** True if a region is open, and the turn has time for it. */
  get #mayGoOn(): boolean {
    if (this.#open === undefined || this.#bytesInTurn >= SLICE_BYTES || this.#cellsLeft <= 0) return false
    const { clock, context } = this.#parts
    const now = monotonicMs(clock)
    this.#turnEndMs ??= now + context.turns.begin()
    return now < this.#turnEndMs
  }

  /**
   * False at the end of the region, where it opens the next one. A region whose first read fails is read anew by the next call, as rows may
   * be lost. Undefined where it has failed behind rows of others, which are answered.
   */
  #nextSlice(region: RegionScanner, limits: ScanLimits): boolean | undefined {
    const { sliceCells } = this.#parts
    const cells = limits.timeMs === undefined ? sliceCells : Math.min(sliceCells, TIMED_CELLS)
    // If partial rows are allowed, a byte limit for the slice would end it within a row.
    if (!limits.allowPartial && limits.bytes > SLICE_BYTES) limits = { ...limits, bytes: SLICE_BYTES }
    const batch = this.#slices
    const { rows, bytes } = batch
    const { cellsSeen, rowsSeen, rows: rowsReturned } = region
    let more: boolean
    try {
      more = batch.read(region, limits, cells)
    } catch (error) {
      // A prepared filter may have counted rows, and is not made anew.
      if (cellsSeen > 0 || this.#prepared !== undefined) throw error
      region.close()
      this.#open = undefined
      if (rows === 0) throw error
      return undefined
    }
    this.#cellsLeft -= region.cellsSeen - cellsSeen
    this.#bytesInTurn += batch.bytes - bytes
    const requests = this.#regions.firstRequests!
    requests.reads += batch.rows - rows
    // A row that is read over several slices is seen in the first one, and returned in the last one.
    requests.filteredReads += region.rowsSeen - rowsSeen - (region.rows - rowsReturned)
    if (!more) this.#endRegion(region)
    return more
  }

  #endRegion(region: RegionScanner): void {
    this.#position = region.lastRow() ?? this.#position
    this.#rowsUnread += region.rowsUnread
    this.#isTableDone = region.endsTable
    if (this.#scan.limit > 0) this.#rowsLeft -= region.rows
    const isAtLimit = this.#scan.limit > 0 && this.#rowsLeft <= 0
    if (this.#isTableDone || isAtLimit) {
      this.#releaseAll()
      return
    }
    this.#closeRegion()
    try {
      this.#openLater()
    } catch (error) {
      if (this.#slices.rows === 0) throw error
    }
  }

  #batch(ended: BatchEnd, seen: SeenOfBatch, call: Call): ScanBatch | Promise<ScanBatch> {
    const slices = this.#slices
    this.#position = this.#open?.lastRow() ?? this.#position
    const position = this.#position
    const rowsUnread = this.#rowsUnread
    this.#rowsUnread = 0
    const isTableDone = ended === 'scan' && slices.rows === 0 ? this.#isTableDone : undefined
    const batchOf = ({ results, partial }: JoinedSlices): ScanBatch => {
      slices.clear()
      return { results, ended, partial, ...seen, rowsUnread, isTableDone, position }
    }
    const joined = slices.joined()
    if ('results' in joined) return batchOf(joined)
    const { turns } = this.#parts.context
    return turns.run(joined, () => this.#resumed(call)).then(batchOf)
  }

  /** Lets the event loop run. Meanwhile the regions may go, or the scanner be closed: then nothing is open. */
  async #pause(call: Call): Promise<void> {
    this.#slices.endTurn()
    this.#keepRegion()
    await this.#parts.context.turns.next()
    this.#beginTurn()
    this.#resumed(call)
  }

  #beginTurn(): void {
    this.#turnEndMs = undefined
    this.#cellsLeft = this.#parts.sliceCells
  }

  #resumed(call: Call): void {
    this.#bytesInTurn = 0
    this.#parts.check(call)
    this.#regions.resume()
  }

  #closeRegion(): void {
    this.#open?.close()
    this.#open = undefined
    this.#regions.shift()
    // A search for the row at which the first region begins costs more than standing at the first row of a later one.
    if (!this.#scan.reversed && this.#scan.startRow.length > 0)
      this.#scan = { ...this.#scan, startRow: EMPTY }
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
    if (this.#slices.rows === 0) return
    this.#isBroken = true
    this.close()
  }

  closeIfGone(): void {
    if (this.#parts.isGone()) this.close()
  }

  /** Safe to call twice. */
  close(): void {
    this.#slices.clear()
    this.#preparation = undefined
    this.#releaseAll()
    this.#regions.close()
  }

  #releaseAll(): void {
    this.#open?.close()
    this.#open = undefined
    this.#regions.release()
  }
}

/** A call that failed halfway has lost rows: the client must open a new scanner behind the last row that it has. */
function lostRows(): HBaseError {
  return new HBaseError('UNKNOWN_SCANNER', 'rows of this scanner were lost with a call that failed')
}
