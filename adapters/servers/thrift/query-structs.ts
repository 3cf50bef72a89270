/** Gets and scans as structs of Thrift 2. The functions throw UNSUPPORTED for reads that Thrift 2 cannot express. */

import { encodeFilter } from '../../../src/filter/protobuf/encode-filter.ts'
import type { Columns, Get, Query, QueryAttributes, Scan } from '../../../src/model/query.ts'
import type { TimeRange } from '../../../src/model/time-range.ts'
import { beyondProtocol } from '../reach/beyond-protocol.ts'
import { THRIFT_REACH } from './thrift-server.ts'

type Struct = Readonly<Record<string, unknown>>
type Pairs = readonly (readonly [Buffer, Buffer])[]

/** TConsistency. PERSISTED: never renumber. */
const TIMELINE = 2
/** The attribute that Java's `Scan.setRaw` sets. HBase: Scan.RAW_ATTR. */
const RAW: Pairs[number] = [Buffer.from('_raw_'), Buffer.of(0xff)]

export function tget(get: Get): Struct {
  checkExpressible(get)
  if (get.familyTimeRanges !== undefined)
    throw beyondProtocol(THRIFT_REACH, 'a get with a time range of one family')
  return {
    ...common(get, get.raw === true),
    row: get.row,
    ...(get.familyLimit >= 0 && { storeLimit: get.familyLimit }),
    ...(get.familyOffset > 0 && { storeOffset: get.familyOffset }),
  }
}

/** A scan. `batch`: the most cells of a result. At its ends it may have more rows than wanted. */
export function tscan(scan: Scan, caching: number, batch: number): Struct {
  checkExpressible(scan)
  if (scan.familyLimit >= 0 || scan.familyOffset > 0)
    throw beyondProtocol(THRIFT_REACH, 'a scan with a limit of the cells of a family')
  const ranges = [...(scan.familyTimeRanges ?? [])].map(
    ([family, range]) => [Buffer.from(family, 'latin1'), ttimeRange(range)] as const,
  )
  return {
    ...common(scan, scan.raw),
    ...rowsOf(scan),
    caching,
    ...(batch > 0 && { batchSize: batch }),
    ...(scan.reversed && { reversed: true }),
    ...(ranges.length > 0 && { colFamTimeRangeMap: ranges }),
  }
}

function common(query: Query, isRaw: boolean): Struct {
  const { columns, timeRange, maxVersions, filter, attributes, cacheBlocks, replica } = query
  const pairs = [...pairsOf(attributes), ...(isRaw ? [RAW] : [])]
  const targetReplicaId = typeof replica === 'number' && replica > 0 ? replica : undefined
  return {
    ...(columns.length > 0 && { columns: tcolumns(columns) }),
    ...(!timeRange.isAllTime && { timeRange: ttimeRange(timeRange) }),
    maxVersions,
    ...(filter !== undefined && { filterBytes: Buffer.from(encodeFilter(filter)) }),
    ...(pairs.length > 0 && { attributes: pairs }),
    ...(!cacheBlocks && { cacheBlocks }),
    ...((targetReplicaId !== undefined || replica === 'any') && { consistency: TIMELINE }),
    ...(targetReplicaId !== undefined && { targetReplicaId }),
  }
}

function checkExpressible({ asOf }: Query): void {
  if (asOf !== undefined) throw beyondProtocol(THRIFT_REACH, 'a read of the past')
}

function tcolumns(columns: Columns): Struct[] {
  return columns.flatMap(({ family, qualifiers }): Struct[] =>
    qualifiers === undefined ? [{ family }] : qualifiers.map((qualifier) => ({ family, qualifier })),
  )
}

function ttimeRange({ min, max }: TimeRange): Struct {
  return { minStamp: min, maxStamp: max }
}

export function pairsOf(attributes: QueryAttributes | undefined): Pairs {
  return [...(attributes ?? [])].map(([name, value]) => [Buffer.from(name), value])
}

/** The first and the stop row. Thrift's scans include the first row and exclude the stop row. */
function rowsOf({ startRow, includeStartRow, stopRow, includeStopRow, reversed }: Scan): Struct {
  const first = includeStartRow || reversed || startRow.length === 0 ? startRow : rowAfter(startRow)
  const isStopMoved = includeStopRow && stopRow.length > 0
  // No row is the last one before another row. A reversed scan goes on to a shorter row instead, and its reader stops earlier.
  const last = !isStopMoved ? stopRow : reversed ? stopRow.subarray(0, -1) : rowAfter(stopRow)
  return { ...(first.length > 0 && { startRow: first }), ...(last.length > 0 && { stopRow: last }) }
}

function rowAfter(row: Buffer): Buffer {
  return Buffer.concat([row, Buffer.of(0)])
}
