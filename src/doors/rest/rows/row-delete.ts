/** DELETE of a row, families or columns: all versions, or the versions up to the path's timestamp. */

import { splitColumn } from '../../../model/column-name.ts'
import { isHBaseError } from '../../../model/errors.ts'
import { MutationBatch } from '../../../model/mutation.ts'
import { checkRow } from '../../../model/query.ts'
import { parseTableName } from '../../../model/table-name.ts'
import type { Call } from '../../../store/call.ts'
import { type Answer, OK } from '../http/answer.ts'
import { Refusal, withStatus } from '../http/errors.ts'
import { hasTimestamp, type RowSpec } from '../parameters/row-spec.ts'
import type { RestService } from '../service/rest-service.ts'

/**
 * Like HBase's RowResource.delete, it deletes only the first row of a range of rows.
 * QUIRK rest-delete-path-f-a-5-15: with a range of timestamps it deletes all versions.
 */
export async function deleteRow(
  { store }: RestService,
  table: string,
  spec: RowSpec,
  call: Call,
): Promise<Answer> {
  const timestamp = hasTimestamp(spec) ? spec.endTime : undefined
  if (timestamp !== undefined && timestamp < 0n) {
    throw new Refusal(500, `Timestamp cannot be negative. ts=${timestamp}`)
  }
  checkDeletedRow(spec.row)
  const batch = new MutationBatch()
  if (spec.columns.length === 0) batch.deleteRow(spec.row, timestamp)
  for (const column of spec.columns) {
    const { family, qualifier } = splitColumn(column)
    if (qualifier === undefined) batch.deleteFamily(spec.row, family, timestamp)
    else batch.deleteColumn(spec.row, family, qualifier, timestamp)
  }
  batch.endMutation()
  const [failure] = await store.rows.mutate(parseTableName(table), batch, call)
  if (failure !== undefined) throw failure.error
  return OK
}

/** QUIRK rest-url-write-percent-u2a: HBase detects an invalid row key too late to answer 400. */
function checkDeletedRow(row: Buffer): void {
  try {
    checkRow(row)
  } catch (error) {
    throw isHBaseError(error) ? withStatus(500, error) : error
  }
}
