/** Gets and scans as protobuf. HBase: ProtobufUtil.toGet, toScan. */

import { encodedFilter } from '../../../src/filter/protobuf/encoded-filters.ts'
import type { Filter } from '../../../src/model/filter.ts'
import type { Columns, Get, Query, Scan } from '../../../src/model/query.ts'
import type { TimeRange } from '../../../src/model/time-range.ts'
import { Field } from '../../../src/wire/rpc/field.ts'
import type { MessageWriter } from '../../../src/wire/rpc/message-writer.ts'
import { READ_TYPES } from '../../../src/wire/rpc/read-type.ts'

/** RegionSpecifier.RegionSpecifierType.REGION_NAME. PERSISTED: never renumber. */
const REGION_NAME = 1

/** Java's `Scan.setRaw` sets this attribute. Gets have it too, since HBase's servers turn gets into scans. */
const RAW_ATTRIBUTE = '_raw_'

/** Bytes.toBytes(true). */
const TRUE = Buffer.from([0xff])

/** A RegionSpecifier as field 1, its number in all requests. */
export function writeRegion(writer: MessageWriter, regionName: Buffer): void {
  const start = writer.begin(Field.GetRequest.region)
  writer.uint32(Field.RegionSpecifier.type, REGION_NAME)
  writer.bytes(Field.RegionSpecifier.value, regionName)
  writer.end(start)
}

export function writeTimeRange(writer: MessageWriter, field: number, { min, max }: TimeRange): void {
  const start = writer.begin(field)
  writer.int64(Field.TimeRange.from, min)
  writer.int64(Field.TimeRange.to, max)
  writer.end(start)
}

/** An attribute of an operation: a NameBytesPair. */
export function writeAttribute(writer: MessageWriter, field: number, name: string, value: Buffer): void {
  const start = writer.begin(field)
  writer.string(Field.NameBytesPair.name, name)
  writer.bytes(Field.NameBytesPair.value, value)
  writer.end(start)
}

export function writeGet(writer: MessageWriter, field: number, get: Get): void {
  const start = writer.begin(field)
  writer.bytes(Field.Get.row, get.row)
  writeSelection(writer, Field.Get, get)
  if (get.raw === true) writeAttribute(writer, Field.Get.attribute, RAW_ATTRIBUTE, TRUE)
  if (get.existenceOnly === true) writer.bool(Field.Get.existenceOnly, true)
  writer.end(start)
}

/** The values that one call of a scan overrides: where it resumes, and how many bytes the answer may have. */
export interface ScanPart {
  readonly startRow: Buffer
  readonly includeStartRow: boolean
  /** The read point of a row that is partly read; 0n: the present one. */
  readonly readPoint: bigint
  readonly resultBytesMax: number
}

export function writeScan(writer: MessageWriter, scan: Scan, part: ScanPart): void {
  const start = writer.begin(Field.ScanRequest.scan)
  writeSelection(writer, Field.Scan, scan)
  if (scan.raw) writeAttribute(writer, Field.Scan.attribute, RAW_ATTRIBUTE, TRUE)
  if (part.startRow.length > 0) writer.bytes(Field.Scan.startRow, part.startRow)
  if (scan.stopRow.length > 0) writer.bytes(Field.Scan.stopRow, scan.stopRow)
  if (scan.batch > 0) writer.uint32(Field.Scan.batchSize, scan.batch)
  writer.uint32(Field.Scan.maxResultSize, part.resultBytesMax)
  if (scan.reversed) writer.bool(Field.Scan.reversed, true)
  if (!scan.familiesOnDemand) writer.bool(Field.Scan.loadColumnFamiliesOnDemand, false)
  if (part.readPoint > 0n) writer.int64(Field.Scan.mvccReadPoint, part.readPoint)
  // Written even at their defaults: without them HBase takes a scan whose start row is its stop row for a get.
  writer.bool(Field.Scan.includeStartRow, part.includeStartRow)
  writer.bool(Field.Scan.includeStopRow, scan.includeStopRow)
  if (scan.readType !== undefined) writer.uint32(Field.Scan.readType, READ_TYPES.indexOf(scan.readType))
  writer.bool(Field.Scan.needCursorResult, true)
  writer.end(start)
}

type SelectionField = Readonly<
  Record<
    | 'column'
    | 'attribute'
    | 'filter'
    | 'timeRange'
    | 'maxVersions'
    | 'cacheBlocks'
    | 'storeLimit'
    | 'storeOffset'
    | 'familyTimeRange',
    number
  >
>

/** The fields that gets and scans share, under different numbers. */
function writeSelection(writer: MessageWriter, field: SelectionField, query: Query): void {
  writeColumns(writer, field.column, query.columns)
  for (const [name, value] of query.attributes ?? []) writeAttribute(writer, field.attribute, name, value)
  if (query.filter !== undefined) writeFilter(writer, field.filter, query.filter)
  if (!query.timeRange.isAllTime) writeTimeRange(writer, field.timeRange, query.timeRange)
  if (query.maxVersions !== 1) writer.uint32(field.maxVersions, query.maxVersions)
  if (!query.cacheBlocks) writer.bool(field.cacheBlocks, false)
  if (query.familyLimit >= 0) writer.uint32(field.storeLimit, query.familyLimit)
  if (query.familyOffset > 0) writer.uint32(field.storeOffset, query.familyOffset)
  for (const [family, range] of query.familyTimeRanges ?? []) {
    const start = writer.begin(field.familyTimeRange)
    writer.bytes(Field.ColumnFamilyTimeRange.columnFamily, Buffer.from(family, 'latin1'))
    writeTimeRange(writer, Field.ColumnFamilyTimeRange.timeRange, range)
    writer.end(start)
  }
}

function writeColumns(writer: MessageWriter, field: number, columns: Columns): void {
  for (const { family, qualifiers } of columns) {
    const start = writer.begin(field)
    writer.bytes(Field.Column.family, family)
    for (const qualifier of qualifiers ?? []) writer.bytes(Field.Column.qualifier, qualifier)
    writer.end(start)
  }
}

function writeFilter(writer: MessageWriter, field: number, filter: Filter): void {
  const start = writer.begin(field)
  writer.raw(encodedFilter(filter))
  writer.end(start)
}
