import type { ErrorCode } from '../../../model/errors.ts'
import { StatusError } from '../http/errors.ts'

/** An error with a status of its own, as a thread reports it. */
export interface StatedFailure {
  readonly status: number
  readonly code: ErrorCode
  readonly message: string
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
  readonly javaClass: string
}

/** Throws the error again where it has no status of its own. */
export function statedFailure(error: unknown): StatedFailure {
  if (!(error instanceof StatusError)) throw error
  const { status, code, message, body, headers, javaClass } = error
  return { status, code, message, body, headers, javaClass }
}

export function errorOfStated({
  status,
  code,
  message,
  body,
  headers,
  javaClass,
}: StatedFailure): StatusError {
  return new StatusError(status, code, message, body, { headers, javaClass })
}
