import type { ErrorCode } from '../../../model/errors.ts'
import type { HeaderValues } from '../http/answer.ts'
import { StatusError } from '../http/errors.ts'

/** A StatusError as plain data, which a thread can send. */
export interface StatedFailure {
  readonly status: number
  readonly code: ErrorCode
  readonly message: string
  readonly body: string
  readonly headers: HeaderValues
  readonly javaClass: string
}

/** Throws other errors than StatusError again. */
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
