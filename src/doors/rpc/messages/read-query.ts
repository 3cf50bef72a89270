/** Gets and scans from protobuf, into the house's queries. HBase: ProtobufUtil.toGet, toScan. */

import { filterInSteps } from '../../../filter/protobuf/decode-filter.ts'
import { EMPTY } from '../../../model/bytes.ts'
import { HBaseError } from '../../../model/errors.ts'
import type { Filter } from '../../../model/filter.ts'
import {
  ALL_COLUMNS,
  type Columns,
  ColumnsBuilder,
  checkRow,
  type Get,
  get,
  type Query,
  type Scan,
  scan,
} from '../../../model/query.ts'
import { TimeRange } from '../../../model/time-range.ts'
import { LATEST_TIMESTAMP } from '../../../model/timestamp.ts'
import { Field } from '../../../wire/rpc/field.ts'
import type { MessageReader } from '../../../wire/rpc/message-reader.ts'
import { READ_TYPES } from '../../../wire/rpc/read-type.ts'

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

type SelectedQuery = Omit<Query, 'asOf'> & { readonly raw: boolean }

const RAW_ATTRIBUTE = '_raw_'

/** Gathers the fields that gets and scans share, under different numbers. */
class Selection {
  readonly #field: SelectionField
  #columns: ColumnsBuilder | undefined
  #filter: Filter | undefined
  #timeRange: TimeRange = TimeRange.ALL
  #familyTimeRanges: Map<string, TimeRange> | undefined
  #maxVersions = 1
  #cacheBlocks = true
  #familyLimit = -1
  #familyOffset = 0
  #raw = false
  #attributes: Map<string, Buffer> | undefined

  constructor(field: SelectionField) {
    this.#field = field
  }

  /** False for a field of another kind, which the caller reads. */
  take(reader: MessageReader): boolean {
    const field = this.#field
    switch (reader.field) {
      case field.column:
        this.#columns ??= new ColumnsBuilder()
        readColumn(reader.message(), this.#columns)
        return true
      case field.filter:
        this.#filter = reader.decoded(filterInSteps)
        return true
      case field.timeRange:
        this.#timeRange = readTimeRange(reader.message())
        return true
      case field.familyTimeRange:
        this.#familyTimeRanges ??= new Map()
        readFamilyTimeRange(reader.message(), this.#familyTimeRanges)
        return true
      case field.maxVersions:
        this.#maxVersions = reader.int32()
        return true
      case field.cacheBlocks:
        this.#cacheBlocks = reader.bool()
        return true
      case field.storeLimit:
        this.#familyLimit = reader.int32()
        return true
      case field.storeOffset:
        this.#familyOffset = reader.int32()
        return true
      case field.attribute:
        this.#takeAttribute(reader.message())
        return true
      default:
        return false
    }
  }

  /** The attribute that makes a scan or a get raw has the value of Bytes.toBytes(true). */
  #takeAttribute(reader: MessageReader): void {
    const { name, value } = readAttribute(reader)
    if (name === RAW_ATTRIBUTE) this.#raw ||= value.length > 0 && value[0] !== 0
    else {
      this.#attributes ??= new Map()
      this.#attributes.set(name, value)
    }
  }

  get columns(): Columns | undefined {
    return this.#columns?.build()
  }

  query(withTags: boolean): SelectedQuery {
    return {
      raw: this.#raw,
      withTags,
      attributes: this.#attributes,
      columns: this.#columns?.build() ?? ALL_COLUMNS,
      filter: this.#filter,
      timeRange: this.#timeRange,
      familyTimeRanges: this.#familyTimeRanges,
      maxVersions: this.#maxVersions,
      cacheBlocks: this.#cacheBlocks,
      familyLimit: this.#familyLimit,
      familyOffset: this.#familyOffset,
    }
  }
}

function readColumn(reader: MessageReader, into: ColumnsBuilder): void {
  let family = EMPTY
  const qualifiers: Buffer[] = []
  while (reader.next()) {
    if (reader.field === Field.Column.family) family = reader.bytes()
    else if (reader.field === Field.Column.qualifier) {
      reader.countElement()
      qualifiers.push(reader.bytes())
    } else reader.skip()
  }
  if (qualifiers.length === 0) into.addFamily(family)
  for (const qualifier of qualifiers) into.addColumn(family, qualifier)
}

/** HBase: ProtobufUtil.toTimeRange; a bound that is missing is open. */
export function readTimeRange(reader: MessageReader): TimeRange {
  let from = 0n
  let to = LATEST_TIMESTAMP
  while (reader.next()) {
    if (reader.field === Field.TimeRange.from) from = BigInt.asIntN(64, reader.uint64())
    else if (reader.field === Field.TimeRange.to) to = BigInt.asIntN(64, reader.uint64())
    else reader.skip()
  }
  return TimeRange.between(from, to)
}

function readFamilyTimeRange(reader: MessageReader, into: Map<string, TimeRange>): void {
  let family = ''
  let range = TimeRange.ALL
  while (reader.next()) {
    if (reader.field === Field.ColumnFamilyTimeRange.columnFamily) family = reader.bytes().toString('latin1')
    else if (reader.field === Field.ColumnFamilyTimeRange.timeRange) range = readTimeRange(reader.message())
    else reader.skip()
  }
  into.set(family, range)
}

export interface GetMessage {
  readonly get: Get
  /** The client asks only whether the row has such cells. */
  readonly existenceOnly: boolean
}

/** The query of a get that names a row and nothing else. */
const WHOLE_ROW: SelectedQuery = new Selection(Field.Get).query(false)
const WHOLE_ROW_WITH_TAGS: SelectedQuery = { ...WHOLE_ROW, withTags: true }

/** Throws ILLEGAL_ARGUMENT as HBase's Get does, DO_NOT_RETRY for a get of older clients that no server answers any more. */
export function readGet(reader: MessageReader, withTags = false): GetMessage {
  let selection: Selection | undefined
  let row = EMPTY
  let existenceOnly = false
  while (reader.next()) {
    if (reader.field === Field.Get.row) row = reader.bytes()
    else if (reader.field === Field.Get.existenceOnly) existenceOnly = reader.bool()
    else if (reader.field === Field.Get.closestRowBefore) refuseClosestRow(reader.bool())
    else {
      selection ??= new Selection(Field.Get)
      if (!selection.take(reader)) reader.skip()
    }
  }
  const query = selection?.query(withTags) ?? (withTags ? WHOLE_ROW_WITH_TAGS : WHOLE_ROW)
  return { get: get(row, query), existenceOnly }
}

/** HBase: RSRpcServices.get. */
function refuseClosestRow(isAsked: boolean): void {
  if (!isAsked) return
  throw new HBaseError(
    'DO_NOT_RETRY',
    'Is this a pre-hbase-1.0.0 or asynchbase client? Client is invoking getClosestRowBefore removed in hbase-2.0.0 replaced by reverse Scan.',
    { javaClass: 'org.apache.hadoop.hbase.exceptions.UnknownProtocolException' },
  )
}

export interface ScanMessage {
  readonly scan: Scan
  /** Of one answer, in bytes; 0: the server's own limit. */
  readonly resultBytesMax: number
  /** The client wants to know where the scan stands when it finds nothing for a while. */
  readonly needsCursor: boolean
}

export function readScan(reader: MessageReader, withTags = false): ScanMessage {
  const selection = new Selection(Field.Scan)
  const field = Field.Scan
  let [startRow, stopRow] = [EMPTY, EMPTY]
  let includeStartRow = true
  let includeStopRow: boolean | undefined
  let [batch, resultBytesMax, readPoint] = [-1, 0n, 0n]
  let [reversed, needsCursor, isSmall] = [false, false, false]
  let familiesOnDemand = true
  let readType = 0
  while (reader.next()) {
    if (selection.take(reader)) continue
    if (reader.field === field.startRow) startRow = reader.bytes()
    else if (reader.field === field.stopRow) stopRow = reader.bytes()
    else if (reader.field === field.includeStartRow) includeStartRow = reader.bool()
    else if (reader.field === field.includeStopRow) includeStopRow = reader.bool()
    else if (reader.field === field.batchSize) batch = reader.int32()
    else if (reader.field === field.maxResultSize) resultBytesMax = reader.uint64()
    else if (reader.field === field.reversed) reversed = reader.bool()
    else if (reader.field === field.mvccReadPoint) readPoint = BigInt.asIntN(64, reader.uint64())
    else if (reader.field === field.readType) readType = reader.uint32()
    else if (reader.field === field.small) isSmall = reader.bool()
    else if (reader.field === field.needCursorResult) needsCursor = reader.bool()
    else if (reader.field === field.loadColumnFamiliesOnDemand) familiesOnDemand = reader.bool()
    else reader.skip()
  }
  for (const row of [startRow, stopRow]) if (row.length > 0) checkRow(row)
  const query = selection.query(withTags)
  // Named one by one: a spread of so many fields takes longer than a read.
  const asked = scan({
    columns: query.columns,
    filter: query.filter,
    timeRange: query.timeRange,
    familyTimeRanges: query.familyTimeRanges,
    maxVersions: query.maxVersions,
    cacheBlocks: query.cacheBlocks,
    withTags,
    familyLimit: query.familyLimit,
    familyOffset: query.familyOffset,
    attributes: query.attributes,
    raw: query.raw,
    startRow,
    includeStartRow,
    stopRow,
    // Clients before 2.0 have no such flag: there a scan from a row to the same row is a get.
    includeStopRow: includeStopRow ?? (startRow.length > 0 && startRow.equals(stopRow)),
    reversed,
    batch: batch > 0 ? batch : -1,
    familiesOnDemand,
    // The word of clients before 2.0.
    readType: READ_TYPES[readType] ?? (isSmall ? 'pread' : undefined),
    readPoint: readPoint > 0n ? readPoint : undefined,
  })
  return { scan: asked, resultBytesMax: Number(BigInt.asUintN(53, resultBytesMax)), needsCursor }
}

export function readAttribute(reader: MessageReader): { readonly name: string; readonly value: Buffer } {
  let name = ''
  let value = EMPTY
  while (reader.next()) {
    if (reader.field === Field.NameBytesPair.name) name = reader.string()
    else if (reader.field === Field.NameBytesPair.value) value = reader.bytes()
    else reader.skip()
  }
  return { name, value }
}
