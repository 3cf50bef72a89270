/**
 * GET of several rows: `/table/multiget[/column,column...]?row=...&row=...`, each with its own row spec. A POST of a form has all or a part
 * of the query in its body, because a request line has room for only some thousand rows.
 */

import { type GotResults, getInPieces } from '../../../gateway/reads/many-gets.ts'
import { HBaseError, isHBaseError } from '../../../model/errors.ts'
import { eachInTurns } from '../../../model/many-a-turn.ts'
import { changedRead, type Get } from '../../../model/query.ts'
import type { Call } from '../../../store/call.ts'
import { cellSetAnswer, OUTPUT_RATIO } from '../answers/cell-set-answer.ts'
import type { Answer } from '../http/answer.ts'
import { isDoNotRetry, nothingFound, withStatus } from '../http/errors.ts'
import { CELL_SET_TYPES } from '../http/media-type.ts'
import { requireMethod } from '../http/method.ts'
import { decodeSegment } from '../http/percent.ts'
import type { RestRequest } from '../http/request.ts'
import { negotiateRows } from '../http/rows-type.ts'
import { parseFilterParameter } from '../parameters/filter-parameter.ts'
import { lateTableName } from '../parameters/late-table-name.ts'
import type { RowPath } from '../parameters/row-path.ts'
import { parseRowSpec, type RowSpec } from '../parameters/row-spec.ts'
import type { RestService } from '../service/rest-service.ts'
import { largeAnswer } from './large-answer.ts'
import { specifiedGet } from './row-get.ts'

const NOTHING_FOUND: Answer = nothingFound('No rows found.')

export async function getRows(
  service: RestService,
  request: RestRequest,
  { table, rest }: RowPath,
): Promise<Answer> {
  if (request.method === 'POST' && request.hasForm) await request.readForm()
  else requireMethod(request, 'GET')
  const { query } = request
  const form = negotiateRows(request.accept, CELL_SET_TYPES)
  const filter = await parseFilterParameter(request)
  const common = commonColumns(rest)
  const rows = query.getAll('row')
  if (rows.length > service.limits.batchMax) {
    throw new HBaseError(
      'TOO_LARGE',
      `${rows.length} rows, more than the ${service.limits.batchMax} of the limit`,
    )
  }
  const encoding = query.get('e') ?? request.header('encoding') ?? null
  const versions = query.get('v')
  const cacheBlocks = !query.has('nocache')
  const gets: Get[] = []
  await eachInTurns(rows, (row) => {
    const spec = parseRowSpec(row, versions, encoding)
    const get = rowGet({ ...spec, columns: [...spec.columns, ...common] }, cacheBlocks)
    gets.push(filter === undefined ? get : changedRead(get, { filter }))
  })
  if (gets.length === 0) return NOTHING_FOUND
  const got = await readAll(service, table, gets, request.call)
  return largeAnswer(service, request, got, (results) =>
    results.cells.byteLength === 0 ? NOTHING_FOUND : cellSetAnswer(results, form),
  )
}

/**
 * The columns for every row. HBase: TableResource.getMultipleRowResource and String.split, which leaves out empty parts at the end.
 */
function commonColumns(rest: string): Buffer[] {
  const text = decodeSegment(rest).replaceAll('multiget', '').replace(/\//g, '').replace(/,+$/, '')
  return text === '' ? [] : text.split(',').map((column) => Buffer.from(column))
}

/** QUIRK rest-url-form-multiget-row-star-19e023: an empty row key and an invalid time range are a 500. */
function rowGet(spec: RowSpec, cacheBlocks: boolean): Get {
  try {
    return specifiedGet(spec, cacheBlocks)
  } catch (error) {
    throw isHBaseError(error) && error.code === 'ILLEGAL_ARGUMENT' ? withStatus(500, error) : error
  }
}

/**
 * Throws as getInPieces.
 * QUIRK rest-multiget-json-none-multiget-row-r1: for a single row, a missing table or family is a 500.
 */
async function readAll(
  service: RestService,
  table: string,
  gets: readonly Get[],
  call: Call,
): Promise<GotResults> {
  try {
    return await getInPieces(service, lateTableName(table), gets, call, { copies: 1 + OUTPUT_RATIO })
  } catch (error) {
    throw gets.length === 1 && isHBaseError(error) && isDoNotRetry(error) ? withStatus(500, error) : error
  }
}
