import type { Context } from 'hono'
import { ERROR_TRAITS, type ErrorCode, type HBaseError } from '../../model/errors.ts'
import { plainMessage } from '../../model/plain-message.ts'

/** Statuses that differ from the default, which is 400 for a client's fault and 503 otherwise. */
const STATUSES = {
  TABLE_NOT_FOUND: 404,
  NAMESPACE_NOT_FOUND: 404,
  ACCESS_DENIED: 403,
  READ_ONLY: 403,
  TABLE_EXISTS: 409,
  TOO_LARGE: 413,
} as const satisfies Partial<Record<ErrorCode, number>>

/** The answer to an error of the store or the console, as JSON with a readable message. */
export function failureAnswer(context: Context, failure: HBaseError): Response {
  const { code, detail = {} } = failure
  const known: Partial<Record<ErrorCode, (typeof STATUSES)[keyof typeof STATUSES]>> = STATUSES
  const status = known[code] ?? (ERROR_TRAITS[code].fault === 'client' ? 400 : 503)
  const shownDetail = Object.entries(detail).map(([name, value]) => [
    name,
    typeof value === 'bigint' ? String(value) : value,
  ])
  return context.json(
    { error: plainMessage(failure), code, detail: Object.fromEntries(shownDetail) as object },
    status,
  )
}
