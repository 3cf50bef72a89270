/** Opens stateful scanners. The answer has the scanner's address. */

import { filterJsonInSteps } from '../../../filter/json/parse-filter-json.ts'
import { filterStringInSteps } from '../../../filter/language/parse-filter-string.ts'
import { DeferredScanner } from '../../../gateway/reads/deferred-scanner.ts'
import { readFilter } from '../../../gateway/requests/read-filter.ts'
import { columnsNamedInSteps } from '../../../model/column-name.ts'
import { isHBaseError } from '../../../model/errors.ts'
import type { Filter } from '../../../model/filter.ts'
import { manyATurn } from '../../../model/many-a-turn.ts'
import { type Columns, type Scan, scan } from '../../../model/query.ts'
import { rowRange } from '../../../model/row-range.ts'
import { parseTableName, type TableName } from '../../../model/table-name.ts'
import { TimeRange } from '../../../model/time-range.ts'
import type { ScannerSpec } from '../../../wire/rest/scanner-spec.ts'
import { authorizationsMessage, VISIBILITY_ATTRIBUTE } from '../../../wire/rpc/label-messages.ts'
import { decodeScanner } from '../decoding/decode-scanner.ts'
import { SCANNER_DECODERS } from '../decoding/scanner-task.ts'
import type { Answer } from '../http/answer.ts'
import { Refusal, withStatus } from '../http/errors.ts'
import { readDocumentBody } from '../http/read-body.ts'
import type { RestRequest } from '../http/request.ts'
import { CellStream } from '../service/cell-stream.ts'
import type { RestService } from '../service/rest-service.ts'

/** The largest batch that the door reads ahead of the client. */
const READ_AHEAD_ROWS = 1000
const READ_AHEAD_BYTES = 1024 * 1024

export async function createScanner(
  service: RestService,
  request: RestRequest,
  table: string,
): Promise<Answer> {
  const { limits, store, scanners, memory } = service
  const body = await readDocumentBody(request, SCANNER_DECODERS)
  if (body === undefined) throw new Refusal(500, 'the body has no scanner')
  const spec = await decodeScanner(service, body)
  if (spec.fault !== undefined) throw new Refusal(400, spec.fault, {}, 'Bad request')
  const filter = await parseScannerFilter(spec)
  const { name, query } = requestedScan(table, spec, filter, await shownColumns(spec))
  const scanner = new DeferredScanner(store, name, query)
  const rows = spec.caching > 0 ? Math.min(spec.caching, READ_AHEAD_ROWS) : READ_AHEAD_ROWS
  const bytes = Math.min(READ_AHEAD_BYTES, limits.responseBytesMax)
  const stream = new CellStream(store.handouts, scanner, { rows, bytes, allowPartial: false }, memory)
  const isEmpty = spec.maxVersions <= 0 && query.columns.length === 0
  const opened = { batch: spec.batch, isEmpty, turn: Promise.resolve() }
  const id = scanners.open(stream, opened, request.call, scanner.queryBytes)
  const address = `${request.address.replace(/\/+$/, '')}/${service.scannerIdPrefix}${id.toString(16)}`
  return { status: 201, headers: { Location: address } }
}

/** Throws StatusError 400. HBase: ScannerResource.update, whose answer gives no reason. */
async function parseScannerFilter({ filter, filterForm }: ScannerSpec): Promise<Filter | undefined> {
  try {
    if (filter === '') return undefined
    return await readFilter(
      Buffer.from(filter),
      filterForm === 'json' ? filterJsonInSteps : filterStringInSteps,
    )
  } catch (error) {
    if (!isHBaseError(error)) throw error
    throw new Refusal(400, error.message, {}, `Bad request\r\nfilter: ${error.message.replace(/\s+/g, ' ')}`)
  }
}

/** QUIRK rest-body-protobuf-scanner-max-versions-zero: with 0 versions, a named column shows one and a whole family none. */
async function shownColumns({ columns, maxVersions }: ScannerSpec): Promise<Columns> {
  const named = await manyATurn(columnsNamedInSteps(columns))
  return maxVersions > 0 ? named : named.filter(({ qualifiers }) => qualifiers !== undefined)
}

/**
 * Throws StatusError 400 for an invalid table name or time range.
 * QUIRK rest-scanner-life-start-time-9-end-time-5: HBase's answer gives no reason.
 */
function requestedScan(
  table: string,
  spec: ScannerSpec,
  filter: Filter | undefined,
  columns: Columns,
): { name: TableName; query: Scan } {
  try {
    return {
      name: parseTableName(table),
      query: scan({
        ...rowRange(spec.startRow, spec.endRow),
        columns,
        timeRange: TimeRange.between(spec.startTime, spec.endTime),
        maxVersions: Math.max(spec.maxVersions, 1),
        cacheBlocks: spec.cacheBlocks,
        filter,
        ...(spec.labels.length > 0 && {
          attributes: new Map([[VISIBILITY_ATTRIBUTE, authorizationsMessage(spec.labels)]]),
        }),
      }),
    }
  } catch (error) {
    throw isHBaseError(error) ? withStatus(400, error, 'Bad request') : error
  }
}
