/** Everything below a table that is about its rows. */

import type { Answer } from './answer.ts'
import { requireMethod } from './method.ts'
import type { RestRequest } from './request.ts'
import { deleteRow } from './row-delete.ts'
import { getRow } from './row-get.ts'
import { getRows } from './row-multiget.ts'
import { putRow } from './row-put.ts'
import { parseRowSpec } from './row-spec.ts'
import { scanTable } from './scan.ts'
import type { RestService } from './service.ts'
import type { RowPath } from './table-path.ts'

export async function answerRowPath(
  service: RestService,
  request: RestRequest,
  path: RowPath,
): Promise<Answer> {
  if (path.kind === 'scan') return await scanTable(service, request, path)
  if (path.kind === 'multiget') return await getRows(service, request, path)
  const { query } = request
  const encoding = request.header('encoding') ?? query.get('e')
  const spec = parseRowSpec(path.rest, query.get('v'), encoding)
  switch (requireMethod(request, 'DELETE', 'POST', 'GET', 'PUT')) {
    case 'GET':
      return await getRow(service, request, path.table, spec)
    case 'DELETE':
      return await deleteRow(service, path.table, spec)
    case 'POST':
    case 'PUT':
      return await putRow(service, request, path.table, spec)
  }
}
