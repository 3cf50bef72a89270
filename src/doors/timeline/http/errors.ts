/** Errors over HTTP: Hadoop's status and the name of its exception. */

import { type ErrorCode, HBaseError, isHBaseError } from '../../../model/errors.ts'
import type { AnswerDocument } from '../documents/document.ts'
import { MalformedDocument } from '../documents/malformed-document.ts'

/** The statuses of the store's errors. A client may retry after 503. */
const STATUSES: Readonly<Record<ErrorCode, number>> = {
  TABLE_NOT_FOUND: 503,
  TABLE_EXISTS: 503,
  TABLE_NOT_ENABLED: 503,
  TABLE_NOT_DISABLED: 503,
  NAMESPACE_NOT_FOUND: 503,
  NAMESPACE_EXISTS: 503,
  NO_SUCH_COLUMN_FAMILY: 500,
  INVALID_FAMILY_OPERATION: 500,
  DO_NOT_RETRY: 500,
  CONSTRAINT: 500,
  FAILED_SANITY_CHECK: 500,
  ILLEGAL_ARGUMENT: 400,
  UNKNOWN_SCANNER: 503,
  ACCESS_DENIED: 403,
  READ_ONLY: 403,
  UNSUPPORTED: 500,
  TOO_LARGE: 413,
  THROTTLED: 429,
  OVERLOADED: 503,
  CALLER_GONE: 503,
  NOT_SERVING_REGION: 503,
  REGION_TOO_BUSY: 503,
  UNAVAILABLE: 503,
  TIMEOUT: 503,
  CORRUPTION: 500,
  IO: 500,
  REFUSED: 500,
}

type Headers = Readonly<Record<string, string | number | string[] | undefined>>

/** An error whose status does not follow from its code. */
export class Refusal extends HBaseError {
  readonly status: number
  readonly headers: Headers

  constructor(
    status: number,
    message: string,
    javaClass: string,
    {
      code = 'ILLEGAL_ARGUMENT',
      headers = {},
    }: { readonly code?: ErrorCode; readonly headers?: Headers } = {},
  ) {
    super(code, message, { javaClass })
    this.status = status
    this.headers = headers
  }
}

const WEBAPP = 'org.apache.hadoop.yarn.webapp'
/** The prefix of messages: Hadoop wraps them in an exception and prints its name. */
const WRAPPED = 'java.lang.Exception: '

export function badRequest(message: string): Refusal {
  return new Refusal(400, WRAPPED + message, `${WEBAPP}.BadRequestException`)
}

/** As badRequest, for a message that Hadoop takes from an IllegalArgumentException. */
export function badArgument(message: string): Refusal {
  const cause = 'java.lang.IllegalArgumentException: '
  return new Refusal(400, cause + message, `${WEBAPP}.BadRequestException`)
}

export function notFound(message: string): Refusal {
  return new Refusal(404, WRAPPED + message, `${WEBAPP}.NotFoundException`)
}

export function forbidden(message: string): Refusal {
  return new Refusal(403, WRAPPED + message, `${WEBAPP}.ForbiddenException`, { code: 'ACCESS_DENIED' })
}

/** A request that JAX-RS refuses before it reaches a resource. */
export function unrouted(status: 405 | 406 | 413 | 415, message: string, headers: Headers = {}): Refusal {
  return new Refusal(status, message, 'javax.ws.rs.WebApplicationException', { headers })
}

export interface ErrorAnswer {
  readonly status: number
  readonly headers: Headers
  readonly document: AnswerDocument
}

/** The answer to an error that a resource threw. Any error but HBaseError is a bug; it becomes a 500, and the server keeps running. */
export function errorAnswer(error: unknown): ErrorAnswer {
  if (!isHBaseError(error))
    return answerOf(500, 'javax.ws.rs.WebApplicationException', 'a bug in Tidegate: see its log')
  if (error instanceof Refusal)
    return { ...answerOf(error.status, error.javaClass, error.message), headers: error.headers }
  // QUIRK timeline-body-no-json: Hadoop treats Jackson's IOException like a missing file, and answers 404.
  if (error instanceof MalformedDocument) return answerOf(404, error.javaClass, error.message)
  const status = STATUSES[error.code]
  const headers = status === 503 || status === 429 ? { 'Retry-After': '1' } : {}
  return { ...answerOf(status, error.javaClass, error.message), headers }
}

function answerOf(status: number, javaClass: string, message: string): ErrorAnswer {
  const exception = javaClass.slice(javaClass.lastIndexOf('.') + 1)
  return { status, headers: {}, document: { kind: 'exception', exception, message, javaClass } }
}
