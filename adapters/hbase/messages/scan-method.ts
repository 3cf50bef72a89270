/** ClientService.Scan: opens a scanner, continues it and closes it. */

import { EMPTY } from '../../../src/model/bytes.ts'
import type { Scan } from '../../../src/model/query.ts'
import { Field } from '../../../src/wire/rpc/field.ts'
import { MessageReader } from '../../../src/wire/rpc/message-reader.ts'
import type { MessageWriter } from '../../../src/wire/rpc/message-writer.ts'
import type { RpcMethod } from '../../../src/wire/rpc/rpc-method.ts'
import { type ScanPart, writeRegion, writeScan } from './write-query.ts'

export type ScanRequest =
  | {
      readonly kind: 'open'
      readonly regionName: Buffer
      readonly scan: Scan
      readonly part: ScanPart
      readonly rows: number
      /** The number of rows after which the scan is over; 0: no limit. */
      readonly limit: number
      /** True: the server reports how many rows it scanned, and how many its filter passed over. */
      readonly countsRows?: boolean
    }
  | {
      readonly kind: 'next'
      readonly scannerId: bigint
      /** The number of the scanner's call, from 0: the server refuses a repeated call. */
      readonly sequence: number
      readonly rows: number
      readonly limit: number
      readonly countsRows?: boolean
    }
  | { readonly kind: 'close'; readonly scannerId: bigint }

export interface ScanResponse {
  readonly scannerId: bigint
  /** False: the scan is over, in this region and all others. */
  readonly moreResults: boolean
  /** False: the region has no more rows, and its scanner is closed. */
  readonly moreResultsInRegion: boolean
  /** Cells of each result in the frame's cell block. */
  readonly counts: number[]
  /** True where the last result's row may continue in the next answer. */
  readonly lastMayGoOn: boolean
  /** For each result, true if its row may continue in the next one; undefined if at most the last row may. */
  readonly mayGoOn: readonly boolean[] | undefined
  readonly readPoint: bigint
  /** The last row that the server examined, where it ran out of time before it found a result; else EMPTY. */
  readonly cursorRow: Buffer
  /** Undefined where the request did not ask for them. */
  readonly rows: RowCounts | undefined
}

/** HBase: ServerSideScanMetrics. */
export interface RowCounts {
  readonly scanned: number
  /** Rows that the filter passed over. */
  readonly filtered: number
}

export const SCAN: RpcMethod<ScanRequest, ScanResponse> = {
  service: 'ClientService',
  name: 'Scan',
  encode,
  decode,
}

function encode(request: ScanRequest, writer: MessageWriter): void {
  const field = Field.ScanRequest
  if (request.kind === 'close') {
    writer.int64(field.scannerId, request.scannerId)
    writer.uint32(field.numberOfRows, 0)
    writer.bool(field.closeScanner, true)
    return
  }
  if (request.kind === 'open') {
    writeRegion(writer, request.regionName)
    writeScan(writer, request.scan, request.part)
  } else {
    writer.int64(field.scannerId, request.scannerId)
    writer.uint32(field.nextCallSeq, request.sequence)
  }
  writer.uint32(field.numberOfRows, request.rows)
  writer.bool(field.closeScanner, false)
  writer.bool(field.clientHandlesPartials, true)
  writer.bool(field.clientHandlesHeartbeats, true)
  if (request.countsRows) writer.bool(field.trackScanMetrics, true)
  if (request.limit > 0) writer.uint32(field.limitOfRows, request.limit)
}

function decode(buffer: Buffer, start: number, end: number): ScanResponse {
  const field = Field.ScanResponse
  const reader = new MessageReader(buffer, start, end)
  const counts: number[] = []
  const flags: number[] = []
  let scannerId = 0n
  let moreResults = true
  let moreResultsInRegion = true
  let readPoint = 0n
  let cursorRow = EMPTY
  let rows: RowCounts | undefined
  while (reader.next()) {
    if (reader.field === field.cellsPerResult) reader.uint32s(counts)
    else if (reader.field === field.partialFlagPerResult) reader.uint32s(flags)
    else if (reader.field === field.scannerId) scannerId = reader.uint64()
    else if (reader.field === field.moreResults) moreResults = reader.bool()
    else if (reader.field === field.moreResultsInRegion) moreResultsInRegion = reader.bool()
    else if (reader.field === field.mvccReadPoint) readPoint = reader.uint64()
    else if (reader.field === field.scanMetrics) rows = readRowCounts(reader.message())
    else if (reader.field === field.cursor) cursorRow = readCursor(reader.message())
    else reader.skip()
  }
  const firstPartial = flags.indexOf(1)
  const isPartial = firstPartial >= 0 && firstPartial < counts.length - 1
  return {
    scannerId,
    moreResults,
    moreResultsInRegion,
    counts,
    lastMayGoOn: flags[counts.length - 1] === 1,
    mayGoOn: isPartial ? flags.map((flag) => flag === 1) : undefined,
    readPoint,
    cursorRow,
    rows,
  }
}

/**
 * A lower bound of ScanBatch.rowsUnread for an answer. A server counts as scanned the rows that it finished or passed over. It counts the
 * row at whose key its filter ended the scan as passed over only.
 */
export function rowsUnreadOf({ rows, counts, mayGoOn, lastMayGoOn }: ScanResponse): number {
  if (rows === undefined) return 0
  const parts = mayGoOn?.filter(Boolean).length ?? (lastMayGoOn ? 1 : 0)
  return Math.max(0, counts.length - parts + rows.filtered - rows.scanned)
}

function readRowCounts(metrics: MessageReader): RowCounts {
  const rows = { scanned: 0, filtered: 0 }
  while (metrics.next()) {
    if (metrics.field === Field.ScanMetrics.metrics) addCounter(metrics.message(), rows)
    else metrics.skip()
  }
  return rows
}

function addCounter(pair: MessageReader, rows: { scanned: number; filtered: number }): void {
  let name = ''
  let value = 0n
  while (pair.next()) {
    if (pair.field === Field.NameInt64Pair.name) name = pair.string()
    else if (pair.field === Field.NameInt64Pair.value) value = pair.uint64()
    else pair.skip()
  }
  if (name === 'ROWS_SCANNED') rows.scanned += Number(value)
  else if (name === 'ROWS_FILTERED') rows.filtered += Number(value)
}

function readCursor(reader: MessageReader): Buffer {
  let row = EMPTY
  while (reader.next()) {
    // A copy: other responses reuse the memory.
    if (reader.field === Field.Cursor.row) row = Buffer.from(reader.bytes())
    else reader.skip()
  }
  return row
}
