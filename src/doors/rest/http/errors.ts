/** Errors over HTTP: HBase's status, a line for readers, then the exception's class and message. */

import {
  ERROR_TRAITS,
  type ErrorCode,
  type ErrorOptions,
  HBaseError,
  isHBaseError,
} from '../../../model/errors.ts'
import { type Answer, type HeaderValues, TEXT_TYPE } from './answer.ts'

export const restStatus: Readonly<Record<ErrorCode, number>> = {
  TABLE_NOT_FOUND: 404,
  TABLE_EXISTS: 503,
  TABLE_NOT_ENABLED: 503,
  TABLE_NOT_DISABLED: 503,
  NAMESPACE_NOT_FOUND: 503,
  NAMESPACE_EXISTS: 503,
  NO_SUCH_COLUMN_FAMILY: 404,
  INVALID_FAMILY_OPERATION: 503,
  DO_NOT_RETRY: 503,
  CONSTRAINT: 503,
  FAILED_SANITY_CHECK: 503,
  ILLEGAL_ARGUMENT: 400,
  UNKNOWN_SCANNER: 404,
  ACCESS_DENIED: 403,
  READ_ONLY: 403,
  UNSUPPORTED: 501,
  TOO_LARGE: 413,
  THROTTLED: 503,
  OVERLOADED: 503,
  CALLER_GONE: 503,
  NOT_SERVING_REGION: 503,
  REGION_TOO_BUSY: 503,
  UNAVAILABLE: 503,
  TIMEOUT: 503,
  CORRUPTION: 503,
  IO: 503,
  REFUSED: 503,
}

/** Statuses that do not show that the client made a mistake. */
const VAGUE_STATUSES: ReadonlySet<number> = new Set([404, 503])

/**
 * True for an HBase DoNotRetryIOException without a more specific status.
 * QUIRK rest-row-json-r1-zz: a get answers "Not found" to such an error, here a family that is not there.
 */
export function isDoNotRetry({ code }: HBaseError): boolean {
  const { mayRetry, fault } = ERROR_TRAITS[code]
  return fault === 'client' && !mayRetry && VAGUE_STATUSES.has(restStatus[code])
}

const NOT_FOUND = 'Not found'

/** The first line of an error's body. */
const LINES: ReadonlyMap<number, string> = new Map([
  [400, 'Bad request'],
  [403, 'Forbidden'],
  [404, NOT_FOUND],
  [413, 'Request too large'],
  [501, 'Not implemented'],
  [503, 'Unavailable'],
])

/** An error whose status does not follow from its code. Its body is one line, or empty; HBase sends the error page of its servlet container. */
export class StatusError extends HBaseError {
  readonly status: number
  readonly body: string
  readonly headers: HeaderValues

  constructor(
    status: number,
    code: ErrorCode,
    message: string,
    body: string,
    { headers = {}, ...options }: ErrorOptions & { readonly headers?: HeaderValues } = {},
  ) {
    super(code, message, options)
    this.status = status
    this.body = body
    this.headers = headers
  }
}

/** A client's mistake that the door itself detects. */
export class Refusal extends StatusError {
  constructor(status: number, message: string, headers: HeaderValues = {}, body: string = message) {
    super(status, 'ILLEGAL_ARGUMENT', message, body, { headers })
  }
}

/** The error with another status than its code's. Metrics and the log still show its code. */
export function withStatus(
  status: number,
  error: HBaseError,
  body: string = `${error.javaClass}: ${error.message}`,
): StatusError {
  const { code, message, javaClass, detail } = error
  return new StatusError(status, code, message, body, { javaClass, detail, cause: error })
}

/** The error as a 404 without a reason. */
export function asNotFound(error: HBaseError): StatusError {
  return withStatus(404, error, NOT_FOUND)
}

/** A 400 whose body is one line. */
export function badRequest(message: string): Refusal {
  return new Refusal(400, message, {}, `Bad request: ${message}`)
}

/** A body of one line, which ends in CR LF like HBase's. */
export function plainAnswer(status: number, line: string): Answer {
  return { status, contentType: TEXT_TYPE, body: Buffer.from(`${line}\r\n`) }
}

export function notFound(): Answer {
  return plainAnswer(404, NOT_FOUND)
}

/** The answer to a read that found nothing. */
export function nothingFound(line: string = NOT_FOUND): Answer {
  return { ...plainAnswer(404, line), isAbsence: true }
}

/** Errors that pass without an operator's help, so that clients should retry soon. */
const TRANSIENT: ReadonlySet<ErrorCode> = new Set([
  'THROTTLED',
  'OVERLOADED',
  'NOT_SERVING_REGION',
  'REGION_TOO_BUSY',
  'UNAVAILABLE',
  'TIMEOUT',
])
/** In seconds. A flush or the move of a region is over by then. */
const RETRY_AFTER: HeaderValues = { 'Retry-After': '1' }
const SECONDS_MAX = 86_400
const NO_HEADERS: HeaderValues = {}

function retryHeaders(status: number, { code, detail }: HBaseError): HeaderValues {
  if ((status !== 503 && status !== 429) || !TRANSIENT.has(code)) return NO_HEADERS
  // A quota states the time.
  const waitMs = detail?.['waitMs']
  if (typeof waitMs !== 'number') return RETRY_AFTER
  return { 'Retry-After': String(Math.min(SECONDS_MAX, Math.max(1, Math.ceil(waitMs / 1000)))) }
}

/** The answer to an error that a resource threw. Any error but HBaseError is a bug; it becomes a 500, and the server keeps running. */
export function errorAnswer(error: unknown): Answer {
  if (error instanceof StatusError) {
    const headers = { ...error.headers, ...retryHeaders(error.status, error) }
    const { status, body } = error
    return body === '' ? { status, headers } : { ...plainAnswer(status, body), headers }
  }
  if (isHBaseError(error)) {
    const status = restStatus[error.code]
    // HBase's own answer in read-only mode ends with the first line.
    if (error.code === 'READ_ONLY') return plainAnswer(status, `${LINES.get(status)!}\r\n${error.message}`)
    const text = `${LINES.get(status) ?? 'Error'}\r\n${error.javaClass}: ${error.message}`
    return { ...plainAnswer(status, text), headers: retryHeaders(status, error) }
  }
  return plainAnswer(500, 'Server error')
}
