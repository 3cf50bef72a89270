/**
 * The results of a scan as the servers answer them: region after region, each through a scanner of its server, and from where
 * it was cut off when a region has moved, been split or merged, or a server has forgotten the scanner. No row is lost
 * or comes twice. HBase: AsyncScanSingleRegionRpcRetryingCaller.
 */

import type { CellBlock } from '../../../src/model/cell-block.ts'
import { HBaseError } from '../../../src/model/errors.ts'
import type { Scan } from '../../../src/model/query.ts'
import type { Results } from '../../../src/model/results.ts'
import type { TableName } from '../../../src/model/table-name.ts'
import { RemoteException } from '../../../src/wire/rpc/remote-exception.ts'
import { afterCells, rowAt } from '../cells/cell-offsets.ts'
import type { Cluster } from '../cluster/cluster.ts'
import type { LocatedRegion } from '../cluster/meta-row.ts'
import { SCAN, type ScanRequest, type ScanResponse } from '../messages/scan-method.ts'
import { JAVA_CLASS } from '../retry/java-exceptions.ts'
import type { Attempt } from '../retry/retrier.ts'
import { storeError } from '../retry/store-error.ts'
import type { RpcResponse } from '../rpc/rpc-connection.ts'
import { RowAssembler } from './row-assembler.ts'
import { locatePosition, positionAfter, type ScanPosition } from './scan-position.ts'

/** What a server answers that has lost a scanner, or cannot go on with it: another one may. */
const LOST_SCANNER: ReadonlySet<string> = new Set([
  JAVA_CLASS.unknownScanner,
  JAVA_CLASS.lease,
  JAVA_CLASS.scannerReset,
  JAVA_CLASS.outOfOrderScannerNext,
])

/** A scanner of one region's server. */
interface RegionScanner {
  readonly region: LocatedRegion
  readonly id: bigint
  /** Calls after the one that opened it. */
  sequence: number
}

export class ScanSource {
  readonly #cluster: Cluster
  readonly #table: TableName
  readonly #scan: Scan
  readonly #rows: RowAssembler
  #position: ScanPosition
  #scanner: RegionScanner | undefined
  /** What was visible when the present region's scanner was first opened. */
  #readPoint = 0n
  #ended = false
  #closed = false

  constructor(cluster: Cluster, table: TableName, scan: Scan) {
    this.#cluster = cluster
    this.#table = table
    this.#scan = scan
    this.#rows = new RowAssembler(scan.batch)
    this.#position = { row: scan.startRow, inclusive: scan.includeStartRow || scan.startRow.length === 0 }
  }

  /** All results have been fetched. */
  get ended(): boolean {
    return this.#ended
  }

  /** Part of a row is here, and the rest is not: see takePart. */
  get hasPart(): boolean {
    return this.#rows.openCells > 0
  }

  /** The next results, which a server may have none of for the moment; `rows` at most. Throws HBaseErrors. */
  async fetch(rows: number): Promise<Results> {
    const { retrier, options } = this.#cluster
    const deadline = retrier.deadline(options.scannerTimeoutMs)
    for (let number = 1; ; number++) {
      try {
        const response = await this.#call(rows, retrier.attempt(number, deadline))
        retrier.succeeded()
        return this.#take(response)
      } catch (error) {
        this.#abandon(error)
        if (this.#closed) throw storeError(error)
        const isLost = error instanceof RemoteException && LOST_SCANNER.has(error.javaClass)
        if (isLost && number === 1) continue
        // The caller's own scanner is not lost: it may ask again.
        const failure = isLost ? new HBaseError('IO', error.message, { cause: error }) : error
        await retrier.pause(`scan of ${this.#table}`, number, deadline, failure)
      }
    }
  }

  /** The part of a row that is here, as a result. */
  takePart(): Results {
    return this.#rows.takeOpen()
  }

  /** Lets go of the server's scanner. A fetch that is under way does so when it ends. */
  close(): void {
    this.#closed = true
    this.#ended = true
    this.#closeScanner()
  }

  async #call(rows: number, attempt: Attempt): Promise<RpcResponse<ScanResponse>> {
    const scanner = this.#scanner
    const limit = this.#scan.limit > 0 ? this.#scan.limit - this.#rows.rows : 0
    if (scanner === undefined) return this.#open(rows, limit, attempt)
    const request: ScanRequest = {
      kind: 'next',
      scannerId: scanner.id,
      sequence: scanner.sequence++,
      rows,
      limit,
    }
    return this.#send(scanner.region, request, attempt)
  }

  async #open(rows: number, limit: number, attempt: Attempt): Promise<RpcResponse<ScanResponse>> {
    const { locator, options } = this.#cluster
    const position = this.#position
    const region = await locatePosition(locator, this.#table, this.#scan, position, attempt)
    const part = {
      startRow: position.row,
      includeStartRow: position.inclusive,
      readPoint: this.#rows.isWithinRow ? this.#readPoint : 0n,
      resultBytesMax: options.scannerResultBytesMax,
    }
    const request = { kind: 'open', regionName: region.name, scan: this.#scan, part, rows, limit } as const
    const response = await this.#send(region, request, attempt)
    this.#scanner = { region, id: response.message.scannerId, sequence: 0 }
    this.#readPoint = response.message.readPoint
    return response
  }

  #send(region: LocatedRegion, request: ScanRequest, attempt: Attempt): Promise<RpcResponse<ScanResponse>> {
    return this.#cluster.callRegion(region, attempt, (connection, _, { timeoutMs }) =>
      connection.call(SCAN, request, { timeoutMs }),
    )
  }

  #take({ message, cells, cellCount, release }: RpcResponse<ScanResponse>): Results {
    const { region } = this.#scanner!
    const { counts, moreResults, moreResultsInRegion, cursorRow } = message
    const isLast = !moreResults || !moreResultsInRegion
    const results = this.#rows.add({
      cells,
      counts,
      mayGoOn: message.mayGoOn,
      lastMayGoOn: message.lastMayGoOn && !isLast,
      isLast,
    })
    const { row } = this.#rows
    if (row !== undefined) this.#position = { row, inclusive: true }
    else if (counts.length > 0) this.#position = { row: lastRow(cells, cellCount), inclusive: false }
    else if (cursorRow.length > 0) this.#position = { row: cursorRow, inclusive: true }
    if (isLast) this.#endRegion(region, moreResults)
    if (this.#closed) this.#closeScanner()
    // What is not handed on whole may be wanted for the rest of a row.
    const isWhole = release !== undefined && results.cells === cells
    return isWhole ? { cells, counts: results.counts, release } : results
  }

  /** The server has closed its scanner by itself. */
  #endRegion(region: LocatedRegion, moreResults: boolean): void {
    this.#scanner = undefined
    this.#readPoint = 0n
    const isAtLimit = this.#scan.limit > 0 && this.#rows.rows >= this.#scan.limit
    const next = moreResults && !isAtLimit ? positionAfter(region, this.#scan) : undefined
    if (next === undefined) this.#ended = true
    else this.#position = next
  }

  #abandon(error: unknown): void {
    const isGone = error instanceof RemoteException && error.javaClass !== JAVA_CLASS.outOfOrderScannerNext
    if (!isGone) this.#closeScanner()
    this.#scanner = undefined
    this.#rows.restart()
  }

  /** Nobody waits for the answer: a scanner that stays is closed by its server when it has been idle. */
  #closeScanner(): void {
    const scanner = this.#scanner
    this.#scanner = undefined
    if (scanner === undefined) return
    const connection = this.#cluster.connections.opened(scanner.region.server, 'ClientService')
    connection?.call(SCAN, { kind: 'close', scannerId: scanner.id }).catch(() => undefined)
  }
}

/** A copy. */
function lastRow({ buffer, start, end }: CellBlock, cellCount: number): Buffer {
  return Buffer.from(rowAt(buffer, afterCells(buffer, start, cellCount - 1, end)))
}
