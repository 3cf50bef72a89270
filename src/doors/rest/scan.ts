/** GET of `/table/prefix*`: a scan in one answer, told by the query. HBase: TableResource.getScanResource. */

import { compareBytes, rowAfterPrefix } from '../../model/bytes.ts'
import { isHBaseError } from '../../model/errors.ts'
import { type Scan, scan } from '../../model/query.ts'
import { NO_RESULTS } from '../../model/results.ts'
import { parseTableName } from '../../model/table-name.ts'
import { TimeRange } from '../../model/time-range.ts'
import { LATEST_TIMESTAMP } from '../../model/timestamp.ts'
import { parseInt32, parseInt64 } from '../../wire/rest/int64-text.ts'
import type { Answer } from './answer.ts'
import { cellSetAnswer } from './cell-set-answer.ts'
import { columnsOf } from './columns.ts'
import { Refusal } from './errors.ts'
import { refuseFilter } from './filter-params.ts'
import {
  type CellSetType,
  JSON_TYPE,
  type Negotiated,
  negotiate,
  PROTOBUF,
  PROTOBUF_IETF,
  XML,
} from './media-type.ts'
import { requireMethod } from './method.ts'
import { percentDecode } from './percent.ts'
import type { RestRequest } from './request.ts'
import { PagedScan } from './scan-answer.ts'
import { FRAME_ROWS, framesAnswer } from './scan-frames.ts'
import type { RestService } from './service.ts'
import type { RowPath } from './table-path.ts'

/** Protobuf is what a client gets that does not care. */
const SCAN_TYPES: readonly CellSetType[] = [PROTOBUF, PROTOBUF_IETF, XML, JSON_TYPE]

interface Parameters {
  readonly limit: number
  readonly maxVersions: number
  readonly batch: number
  readonly startTime: bigint
  readonly endTime: bigint
}

export async function scanTable(service: RestService, request: RestRequest, path: RowPath): Promise<Answer> {
  const { query } = request
  const parameters = parametersOf(query)
  requireMethod(request, 'GET')
  const form = negotiate(request.accept, SCAN_TYPES)
  refuseFilter(query)
  try {
    return await openedAnswer(service, path, query, parameters, form)
  } catch (error) {
    if (!isHBaseError(error)) throw error
    // HBase finds out while it writes: whatever is wrong, it answers 500.
    throw new Refusal(500, `${error.javaClass}: ${error.message}`)
  }
}

async function openedAnswer(
  service: RestService,
  path: RowPath,
  query: URLSearchParams,
  parameters: Parameters,
  form: Negotiated<CellSetType>,
): Promise<Answer> {
  const { limit, maxVersions, batch, startTime, endTime } = parameters
  const isFramed = form.type === PROTOBUF || form.type === PROTOBUF_IETF
  const timeRange = TimeRange.between(startTime, endTime)
  const isEmpty = limit <= 0 || maxVersions <= 0
  if (isEmpty && !isFramed) return cellSetAnswer(NO_RESULTS, form)
  const asked = scan({
    ...rowsOf(percentDecode(path.rest, false), query),
    columns: columnsOf(query.getAll('column').map((column) => Buffer.from(column.trim()))),
    timeRange,
    maxVersions: Math.max(maxVersions, 1),
    batch: batch > 0 ? batch : -1,
    cacheBlocks: query.get('cacheblocks')?.toLowerCase() !== 'false',
  })
  const options = { limit: isEmpty ? 0 : limit, ...(isFramed && { pageRows: FRAME_ROWS }) }
  const open = await PagedScan.open(service, parseTableName(path.table), asked, options)
  return isFramed ? framesAnswer(open, form, options.limit) : await open.cellSet(form)
}

function parametersOf(query: URLSearchParams): Parameters {
  return {
    limit: parameter(query, 'limit', 0x7fffffff, parseInt32),
    maxVersions: parameter(query, 'maxversions', 1, parseInt32),
    batch: parameter(query, 'batchsize', -1, parseInt32),
    startTime: parameter(query, 'starttime', 0n, parseInt64),
    endTime: parameter(query, 'endtime', LATEST_TIMESTAMP, parseInt64),
  }
}

/** A number of the query. What is no number makes the resource one that does not exist, as JAX-RS has it: 404. */
export function parameter<T>(
  query: URLSearchParams,
  name: string,
  otherwise: T,
  parse: (text: string) => T,
): T {
  const text = query.get(name)
  if (!text) return otherwise
  try {
    return parse(text)
  } catch {
    throw new Refusal(404, `${name} must be a number, not "${text}"`)
  }
}

type RowsOfScan = Pick<Scan, 'startRow' | 'includeStartRow' | 'stopRow' | 'includeStopRow' | 'reversed'>

/** The rows from `startrow` to `endrow` that begin with what stands before the star. */
function rowsOf(glob: Buffer, query: URLSearchParams): RowsOfScan {
  const prefix = glob.subarray(0, glob.indexOf('*'))
  const startRow = Buffer.from(query.get('startrow') ?? '')
  const stopRow = Buffer.from(query.get('endrow') ?? '')
  const reversed = query.get('reversed')?.toLowerCase() === 'true'
  const first = startRow.length === 0 ? prefix : startRow
  const whole = { startRow: first, includeStartRow: true, stopRow, includeStopRow: false, reversed }
  if (prefix.length === 0) return { ...whole, includeStopRow: stopRow.length > 0 && stopRow.equals(startRow) }
  const after = rowAfterPrefix(prefix)
  if (!reversed) {
    const start = compareBytes(first, prefix) < 0 ? prefix : first
    return { ...whole, startRow: start, stopRow: earlier(stopRow, after) }
  }
  const isPast = after.length > 0 && compareBytes(first, after) >= 0
  const stopsWithin = compareBytes(stopRow, prefix) >= 0
  return {
    reversed,
    startRow: isPast ? after : first,
    includeStartRow: !isPast,
    stopRow: stopsWithin ? stopRow : prefix,
    includeStopRow: !stopsWithin,
  }
}

/** The lesser of two ends of rows, of which EMPTY is the end of the table. */
function earlier(a: Buffer, b: Buffer): Buffer {
  if (a.length === 0) return b
  if (b.length === 0) return a
  return compareBytes(a, b) <= 0 ? a : b
}
