/** Gets and scans as messages. Field numbers are those of idl/rpc/client.proto. PERSISTED: never renumber. */

import type { Columns, Get, Query, Scan } from '../../model/query.ts'
import { TimeRange } from '../../model/time-range.ts'
import type { MessageWriter } from './message-writer.ts'

/** RegionSpecifier.type */
const REGION_NAME = 1
/** Bytes.toBytes(true) */
const TRUE = Buffer.from([0xff])

const GetField = {
  row: 1,
  column: 2,
  filter: 4,
  timeRange: 5,
  maxVersions: 6,
  cacheBlocks: 7,
  storeLimit: 8,
  storeOffset: 9,
  existenceOnly: 10,
  familyTimeRange: 13,
} as const

const ScanField = {
  column: 1,
  attribute: 2,
  startRow: 3,
  stopRow: 4,
  filter: 5,
  timeRange: 6,
  maxVersions: 7,
  cacheBlocks: 8,
  batchSize: 9,
  maxResultSize: 10,
  storeLimit: 11,
  storeOffset: 12,
  reversed: 15,
  caching: 17,
  familyTimeRange: 19,
  mvccReadPoint: 20,
  includeStartRow: 21,
  includeStopRow: 22,
  readType: 23,
  needCursorResult: 24,
} as const

export interface GetMessage {
  readonly get: Get
  /** A message Filter, of `get.filter`. */
  readonly filter?: Buffer | undefined
  /** Whether there is such a row is all that is asked: Result.exists, without cells. */
  readonly existenceOnly?: boolean
}

/** Scan.ReadType: whether the server reads blocks singly or streams whole files. PERSISTED: never renumber. */
export const ReadType = { Default: 0, Stream: 1, Pread: 2 } as const

/** What a region is asked for, when a scanner is opened. */
export interface ScanMessage {
  readonly scan: Scan
  /** Where in the region it starts and ends: instead of the scan's rows, where it goes on from another region. */
  readonly startRow: Buffer
  readonly includeStartRow: boolean
  readonly stopRow: Buffer
  readonly includeStopRow: boolean
  /** A message Filter, of `scan.filter`. */
  readonly filter?: Buffer | undefined
  /** Bytes of cells in one response. */
  readonly maxResultSize: number
  /** Rows in one response. */
  readonly caching: number
  readonly readType?: (typeof ReadType)[keyof typeof ReadType]
  /** Heartbeats tell how far the scan has come. */
  readonly needCursor?: boolean
  /** What the first region of the scan was read at: the row that was begun is then finished as it was. */
  readonly mvccReadPoint?: bigint | undefined
}

/** A RegionSpecifier of the region's full name. */
export function writeRegion(writer: MessageWriter, field: number, name: Buffer): void {
  const region = writer.begin(field)
  writer.uint32(1, REGION_NAME)
  writer.bytes(2, name)
  writer.end(region)
}

export function writeGet(writer: MessageWriter, field: number, message: GetMessage): void {
  const { get } = message
  const start = writer.begin(field)
  writer.bytes(GetField.row, get.row)
  writeColumns(writer, GetField.column, get.columns)
  if (message.filter !== undefined) writer.bytes(GetField.filter, message.filter)
  writeTimeRanges(writer, GetField.timeRange, GetField.familyTimeRange, get)
  writer.uint32(GetField.maxVersions, get.maxVersions)
  if (!get.cacheBlocks) writer.bool(GetField.cacheBlocks, false)
  if (get.familyLimit >= 0) writer.uint32(GetField.storeLimit, get.familyLimit)
  if (get.familyOffset > 0) writer.uint32(GetField.storeOffset, get.familyOffset)
  if (message.existenceOnly === true) writer.bool(GetField.existenceOnly, true)
  writer.end(start)
}

export function writeScan(writer: MessageWriter, field: number, message: ScanMessage): void {
  const { scan } = message
  const start = writer.begin(field)
  writeColumns(writer, ScanField.column, scan.columns)
  if (scan.raw) writeAttribute(writer, ScanField.attribute, '_raw_', TRUE)
  if (message.startRow.length > 0) writer.bytes(ScanField.startRow, message.startRow)
  if (message.stopRow.length > 0) writer.bytes(ScanField.stopRow, message.stopRow)
  if (message.filter !== undefined) writer.bytes(ScanField.filter, message.filter)
  writeTimeRanges(writer, ScanField.timeRange, ScanField.familyTimeRange, scan)
  writer.uint32(ScanField.maxVersions, scan.maxVersions)
  if (!scan.cacheBlocks) writer.bool(ScanField.cacheBlocks, false)
  if (scan.batch > 0) writer.uint32(ScanField.batchSize, scan.batch)
  writer.uint32(ScanField.maxResultSize, message.maxResultSize)
  if (scan.familyLimit >= 0) writer.uint32(ScanField.storeLimit, scan.familyLimit)
  if (scan.familyOffset > 0) writer.uint32(ScanField.storeOffset, scan.familyOffset)
  if (scan.reversed) writer.bool(ScanField.reversed, true)
  writer.uint32(ScanField.caching, message.caching)
  if (message.mvccReadPoint !== undefined) writer.int64(ScanField.mvccReadPoint, message.mvccReadPoint)
  writer.bool(ScanField.includeStartRow, message.includeStartRow)
  writer.bool(ScanField.includeStopRow, message.includeStopRow)
  if (message.readType !== undefined) writer.uint32(ScanField.readType, message.readType)
  if (message.needCursor === true) writer.bool(ScanField.needCursorResult, true)
  writer.end(start)
}

function writeColumns(writer: MessageWriter, field: number, columns: Columns): void {
  for (const { family, qualifiers } of columns) {
    const column = writer.begin(field)
    writer.bytes(1, family)
    if (qualifiers !== undefined) for (const qualifier of qualifiers) writer.bytes(2, qualifier)
    writer.end(column)
  }
}

function writeTimeRanges(writer: MessageWriter, all: number, ofFamily: number, query: Query): void {
  if (!query.timeRange.isAllTime) writeTimeRange(writer, all, query.timeRange)
  if (query.familyTimeRanges === undefined) return
  for (const [family, range] of query.familyTimeRanges) {
    const start = writer.begin(ofFamily)
    writer.bytes(1, Buffer.from(family, 'latin1'))
    writeTimeRange(writer, 2, range)
    writer.end(start)
  }
}

export function writeTimeRange(writer: MessageWriter, field: number, range: TimeRange): void {
  const start = writer.begin(field)
  writer.int64(1, range.min)
  writer.int64(2, range.max)
  writer.end(start)
}

/** A NameBytesPair. */
export function writeAttribute(writer: MessageWriter, field: number, name: string, value: Buffer): void {
  const start = writer.begin(field)
  writer.string(1, name)
  writer.bytes(2, value)
  writer.end(start)
}
