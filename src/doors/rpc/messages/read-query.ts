/** Reads gets and scans from protobuf. HBase: ProtobufUtil.toGet, toScan. */

import { EMPTY } from '../../../model/bytes.ts'
import { HBaseError } from '../../../model/errors.ts'
import { checkRow, type Get, get, type Scan, scan } from '../../../model/query.ts'
import type { Steps } from '../../../model/steps.ts'
import { Field } from '../../../wire/rpc/field.ts'
import type { MessageReader } from '../../../wire/rpc/message-reader.ts'
import { READ_TYPES } from '../../../wire/rpc/read-type.ts'
import { type SelectedQuery, Selection } from './selection.ts'

export interface GetMessage {
  readonly get: Get
  /** True where the client only asks whether the row has such cells. */
  readonly existenceOnly: boolean
}

/** The query of a get that names a row and nothing else. */
const WHOLE_ROW: SelectedQuery = new Selection(Field.Get).query(false)
const WHOLE_ROW_WITH_TAGS: SelectedQuery = { ...WHOLE_ROW, withTags: true }

/** Reads a get. Throws ILLEGAL_ARGUMENT as HBase's Get does, DO_NOT_RETRY for getClosestRowBefore, which HBase 2 has removed. */
export function readGet(reader: MessageReader, withTags = false): GetMessage {
  if (reader.isReadInSteps) return reader.readInSteps(newGet).message(withTags)
  const reading = new GetReading()
  while (reader.next()) reading.take(reader)
  return reading.message(withTags)
}

class GetReading {
  #selection: Selection | undefined
  #row = EMPTY
  #existenceOnly = false

  take(reader: MessageReader): void {
    if (reader.field === Field.Get.row) this.#row = reader.bytes()
    else if (reader.field === Field.Get.existenceOnly) this.#existenceOnly = reader.bool()
    else if (reader.field === Field.Get.closestRowBefore) refuseClosestRow(reader.bool())
    else {
      this.#selection ??= new Selection(Field.Get)
      if (!this.#selection.take(reader)) reader.skip()
    }
  }

  settle(): Steps<void> | undefined {
    return this.#selection?.settle()
  }

  message(withTags: boolean): GetMessage {
    const query = this.#selection?.query(withTags) ?? (withTags ? WHOLE_ROW_WITH_TAGS : WHOLE_ROW)
    return { get: get(this.#row, query), existenceOnly: this.#existenceOnly }
  }
}

const newGet = (): GetReading => new GetReading()

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
  /** Most bytes of one answer; 0 for the server's own limit. */
  readonly resultBytesMax: number
  /** True where the client wants the scan's position in an answer without results. */
  readonly needsCursor: boolean
}

/** `firstRows`: as Scan.firstRows. */
export function readScan(reader: MessageReader, withTags = false, firstRows?: number): ScanMessage {
  if (reader.isReadInSteps) return reader.readInSteps(newScan).message(withTags, firstRows)
  const reading = new ScanReading()
  while (reader.next()) reading.take(reader)
  return reading.message(withTags, firstRows)
}

class ScanReading {
  readonly #selection = new Selection(Field.Scan)
  #startRow = EMPTY
  #stopRow = EMPTY
  #includeStartRow = true
  #includeStopRow: boolean | undefined
  #batch = -1
  #resultBytesMax = 0n
  #readPoint = 0n
  #reversed = false
  #needsCursor = false
  #isSmall = false
  #familiesOnDemand = true
  #readType = 0

  take(reader: MessageReader): void {
    const field = Field.Scan
    if (this.#selection.take(reader)) return
    if (reader.field === field.startRow) this.#startRow = reader.bytes()
    else if (reader.field === field.stopRow) this.#stopRow = reader.bytes()
    else if (reader.field === field.includeStartRow) this.#includeStartRow = reader.bool()
    else if (reader.field === field.includeStopRow) this.#includeStopRow = reader.bool()
    else if (reader.field === field.batchSize) this.#batch = reader.int32()
    else if (reader.field === field.maxResultSize) this.#resultBytesMax = reader.uint64()
    else if (reader.field === field.reversed) this.#reversed = reader.bool()
    else if (reader.field === field.mvccReadPoint) this.#readPoint = BigInt.asIntN(64, reader.uint64())
    else if (reader.field === field.readType) this.#readType = reader.uint32()
    else if (reader.field === field.small) this.#isSmall = reader.bool()
    else if (reader.field === field.needCursorResult) this.#needsCursor = reader.bool()
    else if (reader.field === field.loadColumnFamiliesOnDemand) this.#familiesOnDemand = reader.bool()
    else reader.skip()
  }

  settle(): Steps<void> | undefined {
    return this.#selection.settle()
  }

  message(withTags: boolean, firstRows: number | undefined): ScanMessage {
    const [startRow, stopRow] = [this.#startRow, this.#stopRow]
    for (const row of [startRow, stopRow]) if (row.length > 0) checkRow(row)
    const query = this.#selection.query(withTags)
    // Named one by one: spreading so many fields takes longer than a read.
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
      includeStartRow: this.#includeStartRow,
      stopRow,
      // Clients before 2.0 send no such flag: their scan from a row to the same row is a get.
      includeStopRow: this.#includeStopRow ?? (startRow.length > 0 && startRow.equals(stopRow)),
      reversed: this.#reversed,
      batch: this.#batch > 0 ? this.#batch : -1,
      familiesOnDemand: this.#familiesOnDemand,
      // Clients before 2.0 send `small` instead.
      readType: READ_TYPES[this.#readType] ?? (this.#isSmall ? 'pread' : undefined),
      readPoint: this.#readPoint > 0n ? this.#readPoint : undefined,
      firstRows,
    })
    const resultBytesMax = Number(BigInt.asUintN(53, this.#resultBytesMax))
    return { scan: asked, resultBytesMax, needsCursor: this.#needsCursor }
  }
}

const newScan = (): ScanReading => new ScanReading()
