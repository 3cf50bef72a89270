import type { Context } from 'hono'
import { ERROR_TRAITS, type ErrorCode, type HBaseError } from '../../model/errors.ts'
import { plainMessage } from '../../model/plain-message.ts'

/** Those that are not 400 for the client's faults and 503 for the store's. */
const STATUSES = {
  TABLE_NOT_FOUND: 404,
  NAMESPACE_NOT_FOUND: 404,
  ACCESS_DENIED: 403,
  READ_ONLY: 403,
  TABLE_EXISTS: 409,
  TOO_LARGE: 413,
} as const satisfies Partial<Record<ErrorCode, number>>

/** Tells what the store or the console refuses: JSON for scripts, in a form that a person can read too. */
export function failureAnswer(context: Context, failure: HBaseError): Response {
  const { code, detail = {} } = failure
  const known: Partial<Record<ErrorCode, (typeof STATUSES)[keyof typeof STATUSES]>> = STATUSES
  const status = known[code] ?? (ERROR_TRAITS[code].fault === 'client' ? 400 : 503)
  const told = Object.entries(detail).map(([name, value]) => [
    name,
    typeof value === 'bigint' ? String(value) : value,
  ])
  return context.json(
    { error: plainMessage(failure), code, detail: Object.fromEntries(told) as object },
    status,
  )
}
