/** Dispatches a request for rows by the kind of its path and its method. */

import { answerFeed } from './feed/change-feed.ts'
import { isFeedRequest } from './feed/feed-request.ts'
import type { Answer } from './http/answer.ts'
import { optionsAnswer, requireMethod } from './http/method.ts'
import type { RestRequest } from './http/request.ts'
import type { RowPath } from './parameters/row-path.ts'
import { parseRowSpec } from './parameters/row-spec.ts'
import { deleteRow } from './rows/row-delete.ts'
import { getRow } from './rows/row-get.ts'
import { getRows } from './rows/row-multiget.ts'
import { putRow } from './rows/row-put.ts'
import { scanTable } from './scans/scan.ts'
import type { RestService } from './service/rest-service.ts'

const ROW_METHODS = ['DELETE', 'POST', 'GET', 'PUT'] as const

export function answerRowPath(
  service: RestService,
  request: RestRequest,
  path: RowPath,
): Answer | Promise<Answer> {
  if (request.method === 'OPTIONS') return optionsAnswer(path.kind === 'row' ? ROW_METHODS : ['GET'])
  if (isFeedRequest(request, path)) return answerFeed(service, request, path)
  if (path.kind === 'scan') return scanTable(service, request, path)
  if (path.kind === 'multiget') return getRows(service, request, path)
  const encoding = request.header('encoding') ?? request.parameter('e')
  const spec = parseRowSpec(path.rest, request.parameter('v'), encoding)
  switch (requireMethod(request, ...ROW_METHODS)) {
    case 'GET':
      return getRow(service, request, path.table, spec)
    case 'DELETE':
      return deleteRow(service, path.table, spec, request.call)
    case 'POST':
    case 'PUT':
      return putRow(service, request, path.table, spec)
  }
}
