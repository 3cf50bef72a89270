/** Requests for the changes of a table: `GET /table/prefix*[/columns]?changes=TOKEN`. */

import { splitColumn } from '../../../model/column-name.ts'
import type { WantedCells } from '../../../wire/changes/changed-rows.ts'
import { Refusal } from '../http/errors.ts'
import type { RestRequest } from '../http/request.ts'
import type { RowPath } from '../parameters/row-path.ts'
import { hasAllTimes, parseRowSpec } from '../parameters/row-spec.ts'
import { type FeedForm, negotiateFeed } from './feed-form.ts'

const PARAMETER = 'changes'
const HEARTBEAT_SECONDS = 15
const HEARTBEAT_SECONDS_MIN = 0.1
const HEARTBEAT_SECONDS_MAX = 300

export interface FeedRequest {
  readonly wanted: WantedCells
  readonly form: FeedForm
  /** A token, or one of the words `now` and `oldest`. */
  readonly from: string
  /** A feed without changes sends its token after this time. */
  readonly heartbeatMs: number
}

/** True for a request that the feed answers: HBase's servers do not know the parameter. A path without a star is a row's. */
export function isFeedRequest(request: RestRequest, { kind, rest }: RowPath): boolean {
  if (kind === 'multiget' || !rest.includes('*') || request.parameter(PARAMETER) === null) return false
  return request.method === 'GET' || request.method === 'HEAD'
}

/** Throws Refusal 400 and 406, and as parseRowSpec. */
export function feedRequest(request: RestRequest, { rest }: RowPath): FeedRequest {
  const encoding = request.header('encoding') ?? request.parameter('e')
  const spec = parseRowSpec(rest, null, encoding)
  if (!hasAllTimes(spec))
    throw new Refusal(400, 'changes are in the order in which they were made: the path has no timestamps')
  const columns = spec.columns.map(splitColumn)
  const form = negotiateFeed(request.accept, request.parameter('cells'))
  // EventSource sends the header when it connects again, to the address that it has.
  const from = request.header('last-event-id') || request.parameter(PARAMETER) || 'now'
  const wanted = { prefix: spec.row, columns: columns.length === 0 ? undefined : columns }
  return { wanted, form, from, heartbeatMs: heartbeatMs(request.parameter('heartbeat')) }
}

function heartbeatMs(text: string | null): number {
  const seconds = text === null || text === '' ? HEARTBEAT_SECONDS : Number(text)
  if (seconds >= HEARTBEAT_SECONDS_MIN && seconds <= HEARTBEAT_SECONDS_MAX) return seconds * 1000
  throw new Refusal(
    400,
    `heartbeat must be a number of seconds from ${HEARTBEAT_SECONDS_MIN} to ${HEARTBEAT_SECONDS_MAX}, not "${text}"`,
  )
}
