/** ClientService.Scan: opens a scanner, reads on, renews its lease, closes it. HBase: RSRpcServices.scan. */

import { giveBack } from '../../../gateway/reads/loans.ts'
import type { Scanner } from '../../../gateway/reads/scanner.ts'
import { EMPTY } from '../../../model/bytes.ts'
import { CellBlock, CellCursor } from '../../../model/cell-block.ts'
import { detached } from '../../../model/detached.ts'
import { HBaseError } from '../../../model/errors.ts'
import { heldBytes } from '../../../model/held-bytes.ts'
import { scan as scanOf } from '../../../model/query.ts'
import { gathered, NO_RESULTS, type Results, type ScannedResults } from '../../../model/results.ts'
import { atOnce } from '../../../model/steps.ts'
import type { Call } from '../../../store/call.ts'
import type { ScanLimits } from '../../../store/handouts.ts'
import { Field } from '../../../wire/rpc/field.ts'
import type { MessageWriter } from '../../../wire/rpc/message-writer.ts'
import { ScatteredBlock } from '../../../wire/rpc/scattered-block.ts'
import { LARGE_BYTES as AWAITED_BYTES, type RpcAnswer, type RpcHandler } from '../contract/rpc-service.ts'
import { readInTurns } from '../messages/read-in-turns.ts'
import { readScanRequest, type ScanCall } from '../messages/read-scan-request.ts'
import { isStale } from '../regions/copies.ts'
import { bytesOfAnswer } from './answer-bytes.ts'
import { answerBytesMax, type ClientContext, inRegion, isRegionGone } from './client-context.ts'
import { endsWithinRow, type OpenScan } from './open-scanners.ts'
import { withinLimit } from './scan-limit.ts'
import { countRows, NO_ROWS, type RowCounts, writeScanMetrics } from './scan-metrics.ts'
import { LARGE_BYTES, resultsInSteps } from './scan-results.ts'
import { breaksScanner, scannerReset } from './scanner-reset.ts'

/** Longest time of a call without results. The client then gets a heartbeat: an empty answer that says that the scanner lives. */
const HEARTBEAT_MS = 10_000
/** Part of a client's own timeout after which it gets a heartbeat. */
const HEARTBEAT_PART = 0.5
/** Bytes of a result in the message beside its cell block: its number of cells, and its flag. */
const RESULT_HEAD_BYTES = 13

interface Page {
  readonly results: ScannedResults
  readonly partial: readonly boolean[] | undefined
  readonly moreInRegion: boolean
  /** False where the client needs no further rows, of any region. */
  readonly more: boolean
  readonly isHeartbeat: boolean
  readonly cursor: Buffer | undefined
  readonly rows: RowCounts
}

const NOTHING: Page = {
  results: NO_RESULTS,
  partial: undefined,
  moreInRegion: true,
  more: true,
  isHeartbeat: false,
  cursor: undefined,
  rows: NO_ROWS,
}

interface Opened {
  readonly id: bigint
  readonly readPoint: bigint
}

export function scanHandler(context: ClientContext): RpcHandler {
  const { scanners } = context
  return async (request) => {
    const { parameter, takesTags, takesCellBlocks } = request
    const read = readInTurns(parameter, () => readScanRequest(parameter, takesTags))
    const asked = read instanceof Promise ? await read : read
    const opened = asked.scannerId === undefined ? await open(context, asked, request.call) : undefined
    const id = opened?.id ?? asked.scannerId!
    if (scanners.hasEnded(id, asked.sequence)) return { write: (writer) => writeId(writer, id) }
    let stale = false
    let next = 0n
    let page: Page
    try {
      page = await scanners.use(id, asked.sequence, request.call, (scanner, scan) =>
        inRegion(scan.region, async () => {
          stale = isStale(scan.region)
          next = scan.sequence
          if (asked.renews) return NOTHING
          const rows = asked.rows ?? (asked.closes ? 0 : 1)
          return rows === 0
            ? NOTHING
            : nextPage({ context, scanner, scan, asked, rows, takesCellBlocks, call: request.call })
        }),
      )
    } catch (error) {
      // The client gets this error once. Its next call with the same id gets UNKNOWN_SCANNER. HBase: RSRpcServices.getRegionScanner.
      if (asked.scannerId !== undefined && isRegionGone(error)) scanners.forget(id, request.call)
      if (!breaksScanner(error)) throw error
      await scanners.close(id, next, request.call)
      throw scannerReset(error, request.release)
    }
    if (asked.renews) return { write: (writer) => writeId(writer, id) }
    if (!page.more || !page.moreInRegion || asked.closes) await scanners.close(id, next, request.call)
    const answered = answer(context, { id, page, asked, opened, takesCellBlocks, isStale: stale })
    if (page.results.cells.byteLength <= AWAITED_BYTES) return answered
    // The client has missed the rows of this page: it must not read on behind them.
    const onRefused = (): void => scanners.forget(id, request.call)
    return { ...answered, onRefused }
  }
}

async function open(
  { store, scanners, regions }: ClientContext,
  { region, scan: message, tracksMetrics }: ScanCall,
  call: Call,
): Promise<Opened> {
  if (region === undefined || message === undefined) {
    throw new HBaseError('DO_NOT_RETRY', 'Missing required input: scannerId or scan')
  }
  const target = await regions.ref(region, call)
  const asked = detached(message.scan)
  const scan = tracksMetrics ? scanOf({ ...asked, countsRows: true }) : asked
  return inRegion(target, async () => {
    const { id, readPoint } = await store.rows.openScanner(target, scan, call)
    const scanner: Scanner = {
      next: (limits, ofNext) => store.handouts.next(id, limits, ofNext),
      close: () => store.handouts.closeScanner(id),
    }
    const state: OpenScan = {
      region: target,
      needsCursor: message.needsCursor,
      resultBytesMax: message.resultBytesMax,
      hasBatch: scan.batch > 0,
      sequence: 0n,
      isBusy: false,
      partialRow: undefined,
    }
    return { id: scanners.open(scanner, state, call, heldBytes(scan)), readPoint }
  })
}

interface Reading {
  readonly context: ClientContext
  readonly scanner: Scanner
  readonly scan: OpenScan
  readonly asked: ScanCall
  readonly rows: number
  readonly takesCellBlocks: boolean
  readonly call: Call
}

async function nextPage({
  context,
  scanner,
  scan,
  asked,
  rows,
  takesCellBlocks,
  call,
}: Reading): Promise<Page> {
  const bytes = bytesOfAnswer(scan.resultBytesMax, answerBytesMax(context))
  const { limitOfRows, handlesPartials } = asked
  // With a batch size, results are parts of rows: there may be more of them than rows.
  const most = limitOfRows > 0 && !scan.hasBatch ? Math.min(rows, limitOfRows) : rows
  const patience = asked.handlesHeartbeats && handlesPartials ? patienceOf(context, call) : {}
  const allowScattered = takesCellBlocks && limitOfRows === 0 && !asked.tracksMetrics
  const pageLimits = { rows: most, ...bytes, allowPartial: handlesPartials, allowScattered, ...patience }
  const batch = await scanner.next(pageLimits, call)
  const { kept, whole } =
    limitOfRows > 0
      ? withinLimit(gathered(batch.results), batch, scan.partialRow, limitOfRows)
      : { kept: batch.results, whole: 0 }
  const moreInRegion = batch.ended === 'batch'
  const more = batch.isTableDone !== true && (limitOfRows === 0 || whole < limitOfRows)
  const isEmpty = kept.counts.length === 0
  const isHeartbeat = moreInRegion && isEmpty
  const rowCounts = asked.tracksMetrics ? countRows(batch, gathered(kept), scan.partialRow) : NO_ROWS
  scan.partialRow = endsWithinRow(batch) ? lastRow(gathered(kept)) : undefined
  return {
    results: kept,
    partial: batch.partial?.slice(0, kept.counts.length),
    moreInRegion,
    more,
    isHeartbeat,
    cursor: isHeartbeat && scan.needsCursor ? batch.position : undefined,
    rows: rowCounts,
  }
}

/** The time and bytes that a call may spend without a result before it sends a heartbeat. HBase: RSRpcServices.scan. */
function patienceOf({ limits }: ClientContext, call: Call): Pick<ScanLimits, 'timeMs' | 'blockBytes'> {
  return { timeMs: heartbeatMs(call), blockBytes: limits.responseBytesMax }
}

function heartbeatMs({ deadline }: Call): number {
  if (deadline === Number.POSITIVE_INFINITY) return HEARTBEAT_MS
  return Math.max(1, Math.min(HEARTBEAT_MS, (deadline - Date.now()) * HEARTBEAT_PART))
}

function lastRow({ cells, counts }: Results): Buffer {
  if (counts.length === 0) return EMPTY
  const cursor = new CellCursor(cells)
  while (cursor.next());
  // A copy: the results' memory is lent.
  return Buffer.from(cursor.parts().row)
}

interface Answered {
  readonly id: bigint
  readonly page: Page
  readonly asked: ScanCall
  readonly opened: Opened | undefined
  readonly takesCellBlocks: boolean
  readonly isStale: boolean
}

function answer(
  { scanners }: ClientContext,
  { id, page, asked, opened, takesCellBlocks, isStale: stale }: Answered,
): RpcAnswer {
  const field = Field.ScanResponse
  const { results, partial } = page
  const begin = (writer: MessageWriter): void => {
    const ttlMs = opened === undefined ? undefined : scanners.idleMs
    writeHead(writer, id, page, { ttlMs, isStale: stale })
    if (opened !== undefined) writer.int64(field.mvccReadPoint, opened.readPoint)
  }
  const write = (writer: MessageWriter): void => {
    begin(writer)
    if (takesCellBlocks) {
      writer.uint32s(field.cellsPerResult, results.counts)
      writeFlags(writer, partial, results.counts.length)
    } else atOnce(resultsInSteps(writer, gathered(results), partial, stale))
    if (asked.tracksMetrics) writeScanMetrics(writer, page.rows)
  }
  const writeInSteps = function* (writer: MessageWriter): Generator<void, void> {
    begin(writer)
    yield* resultsInSteps(writer, gathered(results), partial, stale)
    if (asked.tracksMetrics) writeScanMetrics(writer, page.rows)
  }
  const release = (): void => giveBack(scanners.lender, results)
  const { cells } = results
  const { byteLength } = cells
  const { length: count } = results.counts
  if (takesCellBlocks) {
    const sent = cells instanceof CellBlock ? cells : new ScatteredBlock(cells)
    return { write, cells: [sent], bytes: byteLength + count * RESULT_HEAD_BYTES, release }
  }
  const bytes = byteLength
  return bytes < LARGE_BYTES ? { write, bytes, release } : { write, writeInSteps, bytes, release }
}

/** Writes the flags of partial results. These are rare: without any, no list of flags is made. */
function writeFlags(writer: MessageWriter, partial: Page['partial'], count: number): void {
  const field = Field.ScanResponse.partialFlagPerResult
  if (partial === undefined) writer.zeros(field, count)
  else
    writer.uint32s(
      field,
      Array.from({ length: count }, (_, index) => (partial[index] === true ? 1 : 0)),
    )
}

/** The whole answer to a client that renews its lease, or whose scanner has ended: it may close or read that nevertheless. */
function writeId(writer: MessageWriter, id: bigint): void {
  writer.int64(Field.ScanResponse.scannerId, id)
}

interface HeadFlags {
  readonly ttlMs: number | undefined
  readonly isStale: boolean
}

function writeHead(
  writer: MessageWriter,
  id: bigint,
  page: Page,
  { ttlMs, isStale: stale }: HeadFlags,
): void {
  const field = Field.ScanResponse
  writeId(writer, id)
  writer.bool(field.moreResults, page.more)
  if (ttlMs !== undefined) writer.uint32(field.ttl, ttlMs)
  writer.bool(field.stale, stale)
  writer.bool(field.moreResultsInRegion, page.moreInRegion)
  if (page.isHeartbeat) writer.bool(field.heartbeatMessage, true)
  if (page.cursor !== undefined) {
    const start = writer.begin(field.cursor)
    writer.bytes(Field.Cursor.row, page.cursor)
    writer.end(start)
  }
}
