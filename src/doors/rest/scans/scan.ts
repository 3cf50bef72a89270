/** GET of `/table/prefix*`: a scan in one answer, described by the query. HBase: TableResource.getScanResource. */

import { compareBytes, rowAfterPrefix } from '../../../model/bytes.ts'
import { columnsNamed } from '../../../model/column-name.ts'
import { HBaseError, isHBaseError } from '../../../model/errors.ts'
import type { Filter } from '../../../model/filter.ts'
import { type Scan, scan } from '../../../model/query.ts'
import { NO_RESULTS } from '../../../model/results.ts'
import { parseTableName } from '../../../model/table-name.ts'
import { TimeRange } from '../../../model/time-range.ts'
import { LATEST_TIMESTAMP } from '../../../model/timestamp.ts'
import { parseInt32, parseInt64 } from '../../../wire/text/int64-text.ts'
import type { Answer } from '../http/answer.ts'
import { Refusal, withStatus } from '../http/errors.ts'
import {
  type CellSetType,
  JSON_TYPE,
  type Negotiated,
  negotiate,
  PROTOBUF,
  PROTOBUF_IETF,
  XML,
} from '../http/media-type.ts'
import { requireMethod } from '../http/method.ts'
import { percentDecode } from '../http/percent.ts'
import type { RestRequest } from '../http/request.ts'
import { cellSetAnswer } from '../rows/cell-set-answer.ts'
import { parseFilterParameter } from '../rows/filter-params.ts'
import { rowRange } from '../rows/row-range.ts'
import type { RowPath } from '../rows/table-path.ts'
import { lateTableName } from '../schema/late-table-name.ts'
import type { RestService } from '../service.ts'
import { PagedScan } from './scan-answer.ts'
import { FRAME_ROWS, framesAnswer } from './scan-frames.ts'

/** Protobuf comes first: a client that accepts anything gets it. */
const SCAN_TYPES: readonly CellSetType[] = [PROTOBUF, PROTOBUF_IETF, XML, JSON_TYPE]

interface Parameters {
  readonly limit: number
  readonly maxVersions: number
  readonly batch: number
  readonly startTime: bigint
  readonly endTime: bigint
  readonly filter: Filter | undefined
}

export async function scanTable(service: RestService, request: RestRequest, path: RowPath): Promise<Answer> {
  const { query } = request
  const parameters = { ...parametersOf(query), filter: parseFilterParameter(request) }
  requireMethod(request, 'GET')
  lateTableName(path.table)
  const form = negotiate(request.accept, SCAN_TYPES)
  try {
    return await openedAnswer(service, request, path, parameters, form)
  } catch (error) {
    if (!isHBaseError(error)) throw error
    // QUIRK rest-scan-other-none-star: HBase meets every error while it writes the body, and answers 500.
    throw withStatus(500, error)
  }
}

async function openedAnswer(
  service: RestService,
  { query, call }: RestRequest,
  path: RowPath,
  parameters: Parameters,
  form: Negotiated<CellSetType>,
): Promise<Answer> {
  const { limit, maxVersions, batch, startTime, endTime, filter } = parameters
  const isFramed = form.type === PROTOBUF || form.type === PROTOBUF_IETF
  const timeRange = TimeRange.between(startTime, endTime)
  if (isFramed && limit < 0) throw new HBaseError('ILLEGAL_ARGUMENT', `a limit of ${limit} rows`)
  if (!isFramed && (limit <= 0 || maxVersions <= 0)) return cellSetAnswer(NO_RESULTS, form)
  const glob = percentDecode(path.rest, false)
  const prefix = glob.subarray(0, glob.indexOf('*'))
  const asked = scan({
    ...scannedRows(prefix, query),
    columns: columnsNamed(query.getAll('column').map((column) => Buffer.from(javaTrim(column)))),
    timeRange,
    maxVersions: Math.max(maxVersions, 1),
    batch: batch > 0 ? batch : -1,
    cacheBlocks: query.get('cacheblocks')?.toLowerCase() !== 'false',
    filter: filter === undefined ? undefined : withPrefix(filter, prefix),
  })
  const options = { limit: maxVersions > 0 ? limit : 0, ...(isFramed && { pageRows: FRAME_ROWS }) }
  const open = await PagedScan.open(service, parseTableName(path.table), asked, call, options)
  return isFramed ? framesAnswer(open, form, limit) : await open.cellSet(form)
}

/**
 * HBase: TableResource.getScanResource adds a PrefixFilter. The scan's range already holds only rows of the prefix, but
 * some filters answer otherwise within a list.
 */
function withPrefix(filter: Filter, prefix: Buffer): Filter {
  if (prefix.length === 0) return filter
  return {
    kind: 'FilterList',
    operator: 'MUST_PASS_ALL',
    filters: [filter, { kind: 'PrefixFilter', prefix }],
  }
}

function parametersOf(query: URLSearchParams): Omit<Parameters, 'filter'> {
  return {
    limit: numberParameter(query, 'limit', 0x7fffffff, parseInt32),
    maxVersions: numberParameter(query, 'maxversions', 1, parseInt32),
    batch: numberParameter(query, 'batchsize', -1, parseInt32),
    startTime: numberParameter(query, 'starttime', 0n, parseInt64),
    endTime: numberParameter(query, 'endtime', LATEST_TIMESTAMP, parseInt64),
  }
}

/**
 * A number of the query.
 * QUIRK rest-scan-json-star-limit-x: text that is no number is a 404, since JAX-RS then finds no such resource.
 */
export function numberParameter<T>(
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

/** Java's String.trim: off go control characters and spaces, and no other white space. */
function javaTrim(text: string): string {
  return text.replace(/^[\0-\x20]+|[\0-\x20]+$/g, '')
}

type RowsOfScan = Pick<Scan, 'startRow' | 'includeStartRow' | 'stopRow' | 'includeStopRow' | 'reversed'>

/** The rows from `startrow` to `endrow` that begin with the prefix. */
function scannedRows(prefix: Buffer, query: URLSearchParams): RowsOfScan {
  const stated = Buffer.from(query.get('startrow') ?? '')
  const reversed = query.get('reversed')?.toLowerCase() === 'true'
  const range = rowRange(stated.length === 0 ? prefix : stated, Buffer.from(query.get('endrow') ?? ''))
  if (prefix.length === 0) return { ...range, reversed }
  const after = rowAfterPrefix(prefix)
  return { ...(reversed ? lastRowsWithin(range, prefix, after) : rowsWithin(range, prefix, after)), reversed }
}

type Rows = Omit<RowsOfScan, 'reversed'>

function rowsWithin(range: Rows, prefix: Buffer, after: Buffer): Rows {
  const startRow = compareBytes(range.startRow, prefix) < 0 ? prefix : range.startRow
  const endsWithin =
    range.stopRow.length > 0 && (after.length === 0 || compareBytes(range.stopRow, after) < 0)
  return endsWithin ? { ...range, startRow } : { ...range, startRow, stopRow: after, includeStopRow: false }
}

/** As rowsWithin, from the greatest row down. */
function lastRowsWithin(range: Rows, prefix: Buffer, after: Buffer): Rows {
  const startsPast = after.length > 0 && compareBytes(range.startRow, after) >= 0
  const start = startsPast ? { startRow: after, includeStartRow: false } : {}
  const endsWithin = compareBytes(range.stopRow, prefix) >= 0
  const stop = endsWithin ? {} : { stopRow: prefix, includeStopRow: true }
  return { ...range, ...start, ...stop }
}
