/** GET of `/table/prefix*`: a scan in one answer, described by the query. HBase: TableResource.getScanResource. */

import { compareBytes, rowAfterPrefix } from '../../../model/bytes.ts'
import { columnsNamed } from '../../../model/column-name.ts'
import { type ErrorCode, HBaseError, isHBaseError } from '../../../model/errors.ts'
import type { Filter } from '../../../model/filter.ts'
import { type Scan, scan } from '../../../model/query.ts'
import { NO_RESULTS } from '../../../model/results.ts'
import { rowRange } from '../../../model/row-range.ts'
import { parseTableName, type TableName } from '../../../model/table-name.ts'
import { TimeRange } from '../../../model/time-range.ts'
import { LATEST_TIMESTAMP } from '../../../model/timestamp.ts'
import type { Call } from '../../../store/call.ts'
import { parseInt32, parseInt64 } from '../../../wire/text/int64-text.ts'
import { javaTrim } from '../../../wire/text/java-trim.ts'
import { cellSetAnswer } from '../answers/cell-set-answer.ts'
import { PagedScan } from '../answers/paged-scan.ts'
import type { Answer } from '../http/answer.ts'
import { Refusal, withStatus } from '../http/errors.ts'
import { CELL_SET_TYPES, type Negotiated, PROTOBUF, PROTOBUF_IETF } from '../http/media-type.ts'
import { requireMethod } from '../http/method.ts'
import { percentDecode } from '../http/percent.ts'
import type { RestRequest } from '../http/request.ts'
import { negotiateRows, type RowsType } from '../http/rows-type.ts'
import { parseFilterParameter } from '../parameters/filter-parameter.ts'
import { lateTableName } from '../parameters/late-table-name.ts'
import { numberParameter } from '../parameters/number-parameter.ts'
import type { RowPath } from '../parameters/row-path.ts'
import type { RestService } from '../service/rest-service.ts'
import { remembersRows } from './remembering-filters.ts'
import { FRAME_ROWS, framesAnswer } from './scan-frames.ts'
import { ScanLinks } from './scan-links.ts'
import { cutAnswer } from './scan-page.ts'
import type { ScanPosition } from './scan-position.ts'

interface Parameters {
  readonly limit: number
  readonly maxVersions: number
  readonly batch: number
  readonly startTime: bigint
  readonly endTime: bigint
  readonly filter: Filter | undefined
  /** Results of one answer, which has a link to the next; undefined: the client asks for no pages. */
  readonly page: number | undefined
}

const UNLIMITED = 0x7fffffff
/** Errors with the status that requests for single rows get: 403 shows missing permissions, and 503 invites a retry. */
const AS_ROWS: ReadonlySet<ErrorCode> = new Set(['OVERLOADED', 'ACCESS_DENIED'])

export async function scanTable(service: RestService, request: RestRequest, path: RowPath): Promise<Answer> {
  const { query } = request
  const parameters = { ...parametersOf(query), filter: await parseFilterParameter(request) }
  requireMethod(request, 'GET')
  lateTableName(path.table)
  const form = negotiateRows(request.accept, CELL_SET_TYPES)
  const links = isCut(request, parameters, form)
    ? await ScanLinks.create(service.store, request, path)
    : undefined
  const cut = links && { links, start: links.start }
  try {
    return await openedAnswer(service, request, path, parameters, form, cut)
  } catch (error) {
    if (!isHBaseError(error) || AS_ROWS.has(error.code)) throw error
    // QUIRK rest-scan-other-none-star: HBase detects every error while it writes the body, and answers 500.
    throw withStatus(500, error)
  }
}

/** True where the answer may need a link. Throws Refusal where the client asks for pages that this scan cannot have. */
function isCut(
  request: RestRequest,
  { limit, page, filter }: Parameters,
  { type }: Negotiated<RowsType>,
): boolean {
  const isAsked = page !== undefined || request.parameter('token') !== null
  if (!isAsked && limit === UNLIMITED) return false
  const isFramed = type === PROTOBUF || type === PROTOBUF_IETF
  const remembers = filter !== undefined && remembersRows(filter)
  if (isAsked && isFramed)
    throw new Refusal(406, 'pages are available as JSON, XML or NDJSON, not as protobuf')
  if (isAsked && remembers) {
    throw new Refusal(
      400,
      'the filter counts or ends rows from the beginning of the scan: leave out page and token',
    )
  }
  return !isFramed && !remembers
}

interface Cut {
  readonly links: ScanLinks
  readonly start: ScanPosition | undefined
}

async function openedAnswer(
  service: RestService,
  { query, call }: RestRequest,
  path: RowPath,
  parameters: Parameters,
  form: Negotiated<RowsType>,
  cut: Cut | undefined,
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
  const name = parseTableName(path.table)
  if (cut !== undefined) return await cutScan(service, name, asked, call, form, parameters, cut)
  const options = { limit: maxVersions > 0 ? limit : 0, ...(isFramed && { pageRows: FRAME_ROWS }) }
  const open = await PagedScan.open(service, name, asked, call, options)
  return isFramed ? framesAnswer(open, form, limit) : await open.cellSet(form)
}

/** With `page`, `limit` holds for all answers together; without it, for each answer. */
async function cutScan(
  service: RestService,
  table: TableName,
  asked: Scan,
  call: Call,
  form: Negotiated<RowsType>,
  { limit, page }: Parameters,
  { links, start }: Cut,
): Promise<Answer> {
  const ofAll = page !== undefined && limit !== UNLIMITED ? limit : undefined
  const allowed = start === undefined ? ofAll : start.remaining
  const ofAnswer = Math.min(page ?? limit, allowed ?? Number.POSITIVE_INFINITY)
  const query =
    start === undefined ? asked : { ...asked, startRow: start.row, includeStartRow: start.cell !== undefined }
  const options = { limit: ofAnswer, after: start?.cell }
  const open = await PagedScan.open(service, table, query, call, options)
  return await cutAnswer(open, form, { query, links, allowed, endsEarly: page !== undefined })
}

/**
 * HBase's TableResource.getScanResource adds a PrefixFilter. The scan's range already has only rows of the prefix, but some filters decide
 * differently within a list.
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
    limit: numberParameter(query, 'limit', UNLIMITED, parseInt32),
    page: pageParameter(query),
    maxVersions: numberParameter(query, 'maxversions', 1, parseInt32),
    batch: numberParameter(query, 'batchsize', -1, parseInt32),
    startTime: numberParameter(query, 'starttime', 0n, parseInt64),
    endTime: numberParameter(query, 'endtime', LATEST_TIMESTAMP, parseInt64),
  }
}

function pageParameter(query: URLSearchParams): number | undefined {
  const text = query.get('page')
  if (text === null) return undefined
  if (/^\d{1,9}$/.test(text) && Number(text) > 0) return Number(text)
  throw new Refusal(400, `page must be a number of rows, not "${text}"`)
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
