/** GET of a row, of some of its columns, or of a range of rows. */

import { giveBack } from '../../../gateway/reads/loans.ts'
import { getInPieces } from '../../../gateway/reads/many-gets.ts'
import { columnsNamed } from '../../../model/column-name.ts'
import { HBaseError, isHBaseError } from '../../../model/errors.ts'
import { HandedOver } from '../../../model/handed-over.ts'
import { type Get, get, type Scan, scan } from '../../../model/query.ts'
import type { Results } from '../../../model/results.ts'
import { rowRange } from '../../../model/row-range.ts'
import { parseTableName, type TableName } from '../../../model/table-name.ts'
import { TimeRange } from '../../../model/time-range.ts'
import type { Call } from '../../../store/call.ts'
import { cellSetAnswer, firstCellAnswer, OUTPUT_RATIO } from '../answers/cell-set-answer.ts'
import { PagedScan } from '../answers/paged-scan.ts'
import type { Answer } from '../http/answer.ts'
import { asNotFound, isDoNotRetry, nothingFound, plainAnswer } from '../http/errors.ts'
import { BINARY, CELL_SET_TYPES, type CellSetType, type Negotiated } from '../http/media-type.ts'
import type { RestRequest } from '../http/request.ts'
import { negotiateRows, type RowsType } from '../http/rows-type.ts'
import type { RowSpec } from '../parameters/row-spec.ts'
import type { RestService } from '../service/rest-service.ts'
import { largeAnswer, SMALL_ANSWER_BYTES } from './large-answer.ts'

type HBaseType = CellSetType | typeof BINARY
type RowType = RowsType | typeof BINARY

/**
 * The preferred types by path. HBase prefers either the value or the cells, depending on the order in which its JVM lists the methods of
 * RowResource. Values first would refuse most paths; cells first would wrap a single value.
 */
const VALUE_FIRST: readonly HBaseType[] = [BINARY, ...CELL_SET_TYPES]
const CELLS_FIRST: readonly HBaseType[] = [...CELL_SET_TYPES, BINARY]

const COLON = 0x3a

const ONE_COLUMN_NEEDED =
  "Bad request: Default 'GET' method only works if there is exactly 1 column in the row. Using the 'Accept' header " +
  `with one of these formats lets you retrieve the entire row if it has multiple columns: ${CELL_SET_TYPES.join(', ')}`

export async function getRow(
  service: RestService,
  request: RestRequest,
  tableText: string,
  spec: RowSpec,
): Promise<Answer> {
  const form = negotiateRows(request.accept, namesOneCell(spec) ? VALUE_FIRST : CELLS_FIRST)
  if (form.type === BINARY && spec.columns.length !== 1) return plainAnswer(400, ONE_COLUMN_NEEDED)
  const table = parseTableName(tableText)
  const cacheBlocks = request.parameter('nocache') === null
  try {
    if (spec.endRow !== undefined) {
      return await getRange(service, table, rangeScan(spec, spec.endRow, cacheBlocks), form, request.call)
    }
    const { rows, handouts } = service.store
    const gets = [specifiedGet(spec, cacheBlocks)]
    const first = new HandedOver(await rows.get(table, gets, service.getLimits, request.call))
    if (first.value.cells.byteLength > SMALL_ANSWER_BYTES) {
      const options = { first, copies: form.type === BINARY ? 2 : 1 + OUTPUT_RATIO }
      return await largeAnswer(
        service,
        request,
        await getInPieces(service, table, gets, request.call, options),
        (got) => resultsAnswer(got, form),
      )
    }
    const results = first.take()
    try {
      if (results.cells.byteLength === 0) return nothingFound()
      const answer = resultsAnswer(results, form)
      return answer instanceof Promise ? await answer : answer
    } finally {
      giveBack(handouts, results)
    }
  } catch (error) {
    // QUIRK rest-row-json-none-r1: a missing table or family is "Not found" without a reason.
    if (isHBaseError(error) && isDoNotRetry(error)) throw asNotFound(error)
    throw error
  }
}

/** True for one row, one `family:qualifier` and one version: the answer has at most one cell. */
function namesOneCell({ endRow, columns, maxVersions }: RowSpec): boolean {
  return endRow === undefined && maxVersions <= 1 && columns.length === 1 && columns[0]!.includes(COLON)
}

/** Throws REFUSED where the client asks for no versions, ILLEGAL_ARGUMENT for a bad time range. */
export function specifiedGet(spec: RowSpec, cacheBlocks: boolean): Get {
  if (spec.maxVersions <= 0) throw new HBaseError('REFUSED', 'versions must be positive')
  return get(spec.row, {
    columns: columnsNamed(spec.columns),
    timeRange: TimeRange.between(spec.startTime, spec.endTime),
    maxVersions: spec.maxVersions,
    cacheBlocks,
  })
}

function resultsAnswer(
  results: Results,
  { type, contentType }: Negotiated<RowType>,
): Answer | Promise<Answer> {
  return type === BINARY
    ? firstCellAnswer(results, contentType)
    : cellSetAnswer(results, { type, contentType })
}

function rangeScan(spec: RowSpec, endRow: Buffer, cacheBlocks: boolean): Scan {
  return scan({
    ...rowRange(spec.row, endRow),
    columns: columnsNamed(spec.columns),
    timeRange: TimeRange.between(spec.startTime, spec.endTime),
    maxVersions: spec.maxVersions,
    cacheBlocks,
  })
}

async function getRange(
  service: RestService,
  table: TableName,
  query: Scan,
  { type, contentType }: Negotiated<RowType>,
  call: Call,
): Promise<Answer> {
  const range = await PagedScan.open(service, table, query, call)
  const { page } = range
  const isEmpty = page.cells.byteLength === 0
  if (!isEmpty && type !== BINARY) return await range.cellSet({ type, contentType })
  const answer = isEmpty ? nothingFound() : firstCellAnswer(page, contentType)
  await range.close()
  return answer
}
