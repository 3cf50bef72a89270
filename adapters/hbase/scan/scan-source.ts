/**
 * Fetches the results of a scan, region after region, through a scanner of each region's server. When a region moves, splits
 * or merges, or a server forgets its scanner, the scan resumes where it was interrupted. No row is lost or repeated.
 * HBase: AsyncScanSingleRegionRpcRetryingCaller.
 */

import type { CellBlock } from '../../../src/model/cell-block.ts'
import { HBaseError } from '../../../src/model/errors.ts'
import type { Scan } from '../../../src/model/query.ts'
import type { Call } from '../../../src/store/call.ts'
import { type Target, targetRegion, targetTable } from '../../../src/store/target.ts'
import { RemoteException } from '../../../src/wire/rpc/remote-exception.ts'
import { afterCells, rowAt } from '../cells/cell-offsets.ts'
import type { Cluster } from '../cluster/cluster.ts'
import type { LocatedRegion } from '../cluster/meta-row.ts'
import { rowsUnreadOf, type ScanResponse } from '../messages/scan-method.ts'
import type { ScanPart } from '../messages/write-query.ts'
import { JAVA_CLASS } from '../retry/java-exceptions.ts'
import type { Attempt } from '../retry/retrier.ts'
import { storeError } from '../retry/store-error.ts'
import { untilGone } from '../retry/until-gone.ts'
import type { RpcResponse } from '../rpc/rpc-connection.ts'
import { type FetchedRows, NO_ROWS } from './fetched-rows.ts'
import type { ReadAhead } from './read-ahead.ts'
import { AHEAD_REGIONS_MAX, type BegunRegion, RegionsAhead } from './regions-ahead.ts'
import { RowAssembler } from './row-assembler.ts'
import {
  locatePosition,
  positionAfter,
  positionWithin,
  type ScanPosition,
  scanStart,
} from './scan-position.ts'
import type { ScannedRows } from './scanned-rows.ts'
import { type RegionScanner, ScannerCalls } from './scanner-calls.ts'

/** The server has lost the scanner or cannot continue it, so the scan opens a new one. */
const LOST_SCANNER: ReadonlySet<string> = new Set([
  JAVA_CLASS.unknownScanner,
  JAVA_CLASS.lease,
  JAVA_CLASS.scannerReset,
  JAVA_CLASS.outOfOrderScannerNext,
])

/** A region, and the position at which its scanner begins. */
interface Opening {
  readonly region: LocatedRegion
  readonly position: ScanPosition
}

export class ScanSource implements ScannedRows {
  ended = false
  isAtRegionEnd = false
  isTableDone = false
  position: Buffer | undefined
  readPoint = 0n
  readonly #cluster: Cluster
  readonly #target: Target
  readonly #scan: Scan
  readonly #calls: ScannerCalls
  #rows: RowAssembler
  #next: ScanPosition
  #scanner: RegionScanner | undefined
  /** The read point of the present region's last scanner. */
  #regionReadPoint = 0n
  /** The encoded name of the scan's only region, to which the scan's read point applies. */
  #only: string | undefined
  #isOpened = false
  #regionsPassed = 0
  #closed = false
  /** Undefined for scans that open one region after the other. */
  readonly #ahead: RegionsAhead | undefined

  /** `readAhead`: limits what scans fetch before their callers ask; undefined: this one opens no region before its turn. */
  constructor(cluster: Cluster, target: Target, scan: Scan, readAhead?: ReadAhead) {
    this.#cluster = cluster
    this.#target = target
    this.#scan = scan
    this.#calls = new ScannerCalls(cluster, scan)
    this.#rows = new RowAssembler(scan.batch)
    this.#next = scanStart(scan)
    const { reversed, limit, replica = 0, mayBeStale } = scan
    const isPlain = targetRegion(target) === undefined && !reversed && limit <= 0
    if (isPlain && replica === 0 && mayBeStale !== true && readAhead !== undefined)
      this.#ahead = new RegionsAhead(readAhead)
  }

  /** A source that continues at this one's position, in that copy of each region. For scans of a whole table only. */
  ofCopy(replica: number): ScanSource {
    const source = new ScanSource(this.#cluster, this.#target, { ...this.#scan, replica })
    source.position = this.position
    source.#next = this.#next
    source.#rows = this.#rows.resumed()
    source.#isOpened = true
    return source
  }

  /** The numbers of the copies of the present region. Throws as RegionTargets.withCopies. */
  async copies(attempt: Attempt): Promise<number[]> {
    const { copies = [] } = await this.#cluster.targets.withCopies(() => this.#located(attempt))
    return copies.map(({ replica }) => replica)
  }

  get hasPart(): boolean {
    return this.#rows.openCells > 0
  }

  async fetch(rows: number, call: Call): Promise<FetchedRows> {
    const { retrier, options } = this.#cluster
    const deadline = retrier.deadline(call, options.scannerTimeoutMs)
    let earlier: unknown
    for (let number = 1; ; number++) {
      retrier.checkIsAwaited(call)
      const attempt = retrier.attempt(number, deadline, call, earlier)
      try {
        const response = await this.#call(rows, attempt)
        retrier.succeeded()
        return response === undefined ? this.#end() : this.#take(response)
      } catch (error) {
        this.#abandon(error)
        if (this.#closed) throw storeError(error)
        const isLost = error instanceof RemoteException && LOST_SCANNER.has(error.javaClass)
        if (isLost && number === 1) continue
        // Not UNKNOWN_SCANNER: the caller's own scanner still exists, and may be asked again.
        const failure = isLost ? new HBaseError('IO', error.message, { cause: error }) : error
        earlier = await retrier.pause(`scan of ${targetTable(this.#target)}`, attempt, failure)
      }
    }
  }

  takePart(): FetchedRows {
    return this.#rows.takeOpen()
  }

  close(): void {
    this.#closed = true
    this.ended = true
    this.#dropAhead()
    this.#closeScanner()
  }

  /** The server's answer; undefined where the scan has nothing left to read. */
  async #call(rows: number, attempt: Attempt): Promise<RpcResponse<ScanResponse> | undefined> {
    const scanner = this.#scanner
    const limit = this.#scan.limit > 0 ? this.#scan.limit - this.#rows.rows : 0
    if (scanner === undefined) return this.#open(rows, limit, attempt)
    return this.#calls.next(scanner, { rows, limit }, attempt)
  }

  async #open(rows: number, limit: number, attempt: Attempt): Promise<RpcResponse<ScanResponse> | undefined> {
    const begun = (await this.#answeredAhead(attempt)) ?? (await this.#beginPresent(rows, limit, attempt))
    if (begun === undefined) return undefined
    const { region, openedBy } = begun
    this.#fillAhead(region, rows, attempt)
    const response = await this.#answerOf(begun, attempt)
    this.#ahead?.passed(response)
    const { scannerId, readPoint } = response.message
    this.#scanner = { region, id: scannerId, sequence: 0, openedBy }
    this.#regionReadPoint = readPoint
    if (!this.#isOpened && this.#only !== undefined) this.readPoint = readPoint
    this.#isOpened = true
    return response
  }

  /** When the caller hangs up, the server's new scanner is closed as soon as its id is known. */
  #answerOf({ region, openedBy, answer }: BegunRegion, attempt: Attempt): Promise<RpcResponse<ScanResponse>> {
    return untilGone(attempt.call.signal, answer, ({ message }) =>
      this.#calls.letGo(region, message.scannerId, openedBy),
    )
  }

  /** The present region, if it was opened before its turn. Its failure then is not the scan's: it is opened anew. */
  async #answeredAhead(attempt: Attempt): Promise<BegunRegion | undefined> {
    const begun = this.#next.inclusive ? this.#ahead?.take(this.#next.row) : undefined
    if (begun === undefined) {
      if (this.#ahead?.hasBegun === true) this.#dropAhead()
      return undefined
    }
    try {
      await this.#answerOf(begun, attempt)
      return begun
    } catch {
      this.#cluster.retrier.checkIsAwaited(attempt.call)
      this.#dropAhead()
      return undefined
    }
  }

  async #beginPresent(rows: number, limit: number, attempt: Attempt): Promise<BegunRegion | undefined> {
    const opening = await this.#opening(attempt)
    if (opening === undefined) return undefined
    this.#cluster.retrier.checkIsAwaited(attempt.call)
    const { scannerResultBytesMax: resultBytesMax } = this.#cluster.options
    const { region, position } = opening
    const part = this.#partOf(position, this.#readPointOf(region), resultBytesMax)
    return this.#calls.begin(region, part, { rows, limit }, attempt)
  }

  #partOf({ row, inclusive }: ScanPosition, readPoint: bigint, resultBytesMax: number): ScanPart {
    return { startRow: row, includeStartRow: inclusive, readPoint, resultBytesMax }
  }

  /** Opens the regions behind one before their turn, as far as their servers are known. */
  #fillAhead(present: LocatedRegion, rows: number, attempt: Attempt): void {
    // A scanner that is closed while its first answer is on its way must open no others.
    if (this.#closed) return
    const { locator, options } = this.#cluster
    const table = targetTable(this.#target)
    const resultBytesMax = Math.ceil(options.scannerResultBytesMax / AHEAD_REGIONS_MAX)
    this.#ahead?.fill(present, (after) => {
      const position = positionAfter(after, this.#scan)
      const region = position && locator.cached(table, position.row)
      if (region?.startKey.equals(position!.row) !== true) return undefined
      const part = this.#partOf(position!, 0n, resultBytesMax)
      return this.#calls.begin(region, part, { rows, limit: 0 }, attempt)
    })
  }

  async #opening(attempt: Attempt): Promise<Opening | undefined> {
    const { targets } = this.#cluster
    const ref = targetRegion(this.#target)
    if (ref === undefined) {
      const { replica = 0 } = this.#scan
      const region =
        typeof replica === 'number' && replica > 0
          ? await targets.copy(await targets.withCopies(() => this.#located(attempt)), replica, attempt)
          : await this.#located(attempt)
      const isOnly = !this.#isOpened && positionAfter(region, this.#scan) === undefined
      if (isOnly) this.#only = region.encodedName
      return { region, position: this.#next }
    }
    const region = await targets.named(ref, attempt)
    this.#only = region.encodedName
    const position = positionWithin(region, this.#scan, this.#next)
    return position && { region, position }
  }

  #located(attempt: Attempt): Promise<LocatedRegion> {
    const table = targetTable(this.#target)
    return locatePosition(this.#cluster.locator, table, this.#scan, this.#next, this.#regionsPassed, attempt)
  }

  /** A row that is partly handed on keeps its read point. Any other row uses the scan's read point, or the present one (0n). */
  #readPointOf({ encodedName }: LocatedRegion): bigint {
    if (this.#rows.isWithinRow) return this.#regionReadPoint
    return encodedName === this.#only ? (this.#scan.readPoint ?? 0n) : 0n
  }

  #take({ message, cells, cellCount, release }: RpcResponse<ScanResponse>): FetchedRows {
    const { region } = this.#scanner!
    const { counts, moreResults, moreResultsInRegion, cursorRow } = message
    const rowsFiltered = message.rows?.filtered
    const rowsUnread = rowsUnreadOf(message)
    const isLast = !moreResults || !moreResultsInRegion
    const results = this.#rows.add({
      cells,
      counts,
      mayGoOn: message.mayGoOn,
      lastMayGoOn: message.lastMayGoOn && !isLast,
      isLast,
    })
    const { row } = this.#rows
    if (row !== undefined) this.#moveTo(row, true)
    else if (counts.length > 0) this.#moveTo(lastRow(cells, cellCount), false)
    else if (cursorRow.length > 0) this.#moveTo(cursorRow, true)
    if (isLast) this.#endRegion(region, moreResults)
    else this.isAtRegionEnd = false
    if (this.#closed) this.#closeScanner()
    // Memory of an answer not handed on whole may hold part of a row.
    const isWhole = release !== undefined && results.cells === cells
    const { partial } = results
    return isWhole
      ? { cells, counts: results.counts, partial, release, rowsFiltered, rowsUnread }
      : { ...results, rowsFiltered, rowsUnread }
  }

  #moveTo(row: Buffer, inclusive: boolean): void {
    this.position = row
    this.#next = { row, inclusive }
  }

  /** The server has closed the region's scanner. */
  #endRegion(region: LocatedRegion, moreResults: boolean): void {
    this.#scanner = undefined
    this.#regionReadPoint = 0n
    const isAtLimit = this.#scan.limit > 0 && this.#rows.rows >= this.#scan.limit
    this.isTableDone = !moreResults && !isAtLimit
    const goesOn = moreResults && !isAtLimit && targetRegion(this.#target) === undefined
    const next = goesOn ? positionAfter(region, this.#scan) : undefined
    this.isAtRegionEnd = next !== undefined
    this.#regionsPassed++
    if (next !== undefined) {
      this.#next = next
      return
    }
    this.ended = true
    this.#dropAhead()
  }

  #end(): FetchedRows {
    this.ended = true
    return NO_ROWS
  }

  #dropAhead(): void {
    this.#ahead?.drop((region, scannerId, openedBy) => this.#calls.letGo(region, scannerId, openedBy))
  }

  #abandon(error: unknown): void {
    this.#dropAhead()
    const isGone = error instanceof RemoteException && error.javaClass !== JAVA_CLASS.outOfOrderScannerNext
    if (!isGone) this.#closeScanner()
    this.#scanner = undefined
    this.#rows.restart()
  }

  #closeScanner(): void {
    const scanner = this.#scanner
    this.#scanner = undefined
    if (scanner !== undefined) this.#calls.letGo(scanner.region, scanner.id, scanner.openedBy)
  }
}

/** A copy of the last cell's row. */
function lastRow({ buffer, start, end }: CellBlock, cellCount: number): Buffer {
  return Buffer.from(rowAt(buffer, afterCells(buffer, start, cellCount - 1, end)))
}
