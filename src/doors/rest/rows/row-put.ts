/** PUT and POST of rows: a cell set, or the bytes of one value. The methods are equivalent. */

import { MutationBatch } from '../../../model/mutation.ts'
import { checkRow } from '../../../model/query.ts'
import { parseTableName } from '../../../model/table-name.ts'
import { LATEST_TIMESTAMP, timestampHigh, timestampLow } from '../../../model/timestamp.ts'
import type { Call } from '../../../store/call.ts'
import { parseInt64 } from '../../../wire/text/int64-text.ts'
import { decodeCheck, decodePuts } from '../decoding/decode-body.ts'
import { appendPut } from '../decoding/put-cell.ts'
import { type Answer, OK } from '../http/answer.ts'
import { Refusal } from '../http/errors.ts'
import { BINARY, bodyType, CELL_SET_TYPES, type CellSetType } from '../http/media-type.ts'
import { readCellSetBody } from '../http/read-body.ts'
import type { RestRequest } from '../http/request.ts'
import { isTextJson, TEXT_JSON } from '../http/rows-type.ts'
import type { RowSpec } from '../parameters/row-spec.ts'
import type { RestService } from '../service/rest-service.ts'
import { checkedUpdate } from './row-check.ts'

const BODY_TYPES: readonly (CellSetType | typeof BINARY)[] = [BINARY, ...CELL_SET_TYPES]

export async function putRow(
  service: RestService,
  request: RestRequest,
  table: string,
  spec: RowSpec,
): Promise<Answer> {
  const type = isTextJson(request.contentType)
    ? TEXT_JSON
    : (bodyType(request.contentType, BODY_TYPES, [TEXT_JSON]) ?? BINARY)
  if (type === BINARY) {
    return await applyPuts(service, table, await valuePut(service, request, spec), request.call)
  }
  const body = await readCellSetBody(request, type)
  const check = request.query.get('check') ?? ''
  if (check !== '') {
    const set = await decodeCheck(service, { type, body, spec })
    return await checkedUpdate(service, request, table, spec, set, check)
  }
  const { length } = body
  const batch = await decodePuts(service, { type, body, spec })
  // In a batch each cell repeats the row key, which the body has once.
  const more = batch.cells.length - length
  if (more > UNCOUNTED_BYTES_MAX) request.grant.take(more, 'the cells of the body')
  return await applyPuts(service, table, batch, request.call)
}

/** Cells take memory from the budget only if they exceed the size of their body by more than this, which is rare. */
const UNCOUNTED_BYTES_MAX = 1024 * 1024

async function applyPuts(
  { store }: RestService,
  table: string,
  batch: MutationBatch,
  call: Call,
): Promise<Answer> {
  const name = parseTableName(table)
  if (batch.length === 0) return OK
  const [failure] = await store.rows.mutate(name, batch, call)
  if (failure !== undefined) throw failure.error
  return OK
}

/** One value for the path's column. The headers X-Row, X-Column and X-Timestamp override the path. */
async function valuePut(service: RestService, request: RestRequest, spec: RowSpec): Promise<MutationBatch> {
  const value = await request.body()
  // QUIRK rest-write-value-w6-column-f-x: the path must name a column even where a header overrides it.
  if (spec.columns.length === 0) throw new Refusal(400, 'the path must name a column')
  const stated = request.header('x-timestamp')
  const timestamp = stated === undefined ? LATEST_TIMESTAMP : parseInt64(stated)
  const row = headerBytes(request, 'x-row') ?? spec.row
  checkRow(row)
  const batch = new MutationBatch(value.length + 256)
  const column = headerBytes(request, 'x-column') ?? spec.columns[0]
  const [high, low] = [timestampHigh(timestamp), timestampLow(timestamp)]
  appendPut(service.limits, batch, row, column, { timestampHigh: high, timestampLow: low, value })
  batch.endMutation()
  return batch
}

/** QUIRK rest-url-header-ue9: HBase reads a header as Latin 1, and encodes that text as UTF-8. */
function headerBytes(request: RestRequest, name: string): Buffer | undefined {
  const text = request.header(name)
  return text ? Buffer.from(text) : undefined
}
