/** GET of several rows: `/table/multiget[/column,column...]?row=...&row=...`, each a row spec of its own. */

import { HBaseError, isHBaseError } from '../../../model/errors.ts'
import { NO_RESULTS, type Results } from '../../../model/results.ts'
import type { Answer } from '../http/answer.ts'
import { isDoNotRetry, plainAnswer, Refusal } from '../http/errors.ts'
import { CELL_SET_TYPES, negotiate } from '../http/media-type.ts'
import { requireMethod } from '../http/method.ts'
import { percentDecode } from '../http/percent.ts'
import type { RestRequest } from '../http/request.ts'
import { lateTableName } from '../schema/late-table-name.ts'
import type { RestService } from '../service.ts'
import { cellSetAnswer } from './cell-set-answer.ts'
import { filterOf } from './filter-params.ts'
import { getOf } from './row-get.ts'
import { parseRowSpec } from './row-spec.ts'
import type { RowPath } from './table-path.ts'

export async function getRows(
  service: RestService,
  request: RestRequest,
  { table, rest }: RowPath,
): Promise<Answer> {
  const { query } = request
  requireMethod(request, 'GET')
  const form = negotiate(request.accept, CELL_SET_TYPES)
  const filter = filterOf(request)
  const columns = percentDecode(rest, false).toString().replace('multiget', '').replaceAll('/', '')
  const common = columns === '' ? [] : columns.split(',').map((column) => Buffer.from(column))
  const rows = query.getAll('row')
  if (rows.length > service.limits.batchMax) {
    throw new HBaseError(
      'TOO_LARGE',
      `${rows.length} rows, more than the ${service.limits.batchMax} of the limit`,
    )
  }
  const gets = rows.map((row) => {
    const spec = parseRowSpec(row, query.get('v'), query.get('e') ?? request.header('encoding') ?? null)
    const get = getOf({ ...spec, columns: [...spec.columns, ...common] }, !query.has('nocache'))
    return filter === undefined ? get : { ...get, filter }
  })
  const results = gets.length === 0 ? NO_RESULTS : await readAll(service, table, gets)
  return results.cells.byteLength === 0 ? plainAnswer(404, 'No rows found.') : cellSetAnswer(results, form)
}

async function readAll(
  { store }: RestService,
  table: string,
  gets: readonly ReturnType<typeof getOf>[],
): Promise<Results> {
  try {
    return await store.get(lateTableName(table), gets)
  } catch (error) {
    // HBase answers a missing table or family, and whatever else can never be had, with 500 here.
    if (isHBaseError(error) && isDoNotRetry(error.code)) {
      throw new Refusal(500, `${error.javaClass}: ${error.message}`)
    }
    throw error
  }
}
