/** How errors look over HTTP: HBase's status, then a line for people, then the exception's class and message. */

import type { Logger } from 'pino'
import { type ErrorCode, HBaseError, isHBaseError } from '../../../model/errors.ts'
import { type Answer, TEXT_TYPE } from './answer.ts'

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
  NOT_SERVING_REGION: 503,
  REGION_TOO_BUSY: 503,
  TOO_LARGE: 413,
  UNAVAILABLE: 503,
  TIMEOUT: 503,
  CORRUPTION: 503,
  IO: 503,
}

/** The codes whose exceptions are DoNotRetryIOExceptions in HBase: some of its reads take them for "nothing there". */
const DO_NOT_RETRY: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'TABLE_NOT_FOUND',
  'TABLE_EXISTS',
  'TABLE_NOT_ENABLED',
  'TABLE_NOT_DISABLED',
  'NO_SUCH_COLUMN_FAMILY',
  'DO_NOT_RETRY',
  'FAILED_SANITY_CHECK',
])

export function isDoNotRetry(code: ErrorCode): boolean {
  return DO_NOT_RETRY.has(code)
}

/** The first line of an error's body. */
const LINES: ReadonlyMap<number, string> = new Map([
  [400, 'Bad request'],
  [404, 'Not found'],
  [413, 'Request too large'],
  [503, 'Unavailable'],
])

/** An error that has a status of its own, whatever its code says. Where HBase leaves the page to its container, one line. */
export class Refusal extends HBaseError {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string

  constructor(
    status: number,
    message: string,
    headers: Readonly<Record<string, string>> = {},
    body: string = message,
  ) {
    super('ILLEGAL_ARGUMENT', message)
    this.status = status
    this.headers = headers
    this.body = body
  }
}

/** 400 in one line. */
export function badRequest(what: string): Refusal {
  return new Refusal(400, what, {}, `Bad request: ${what}`)
}

/** A body of one line, as HBase words it. */
export function plainAnswer(status: number, line: string): Answer {
  return { status, contentType: TEXT_TYPE, body: Buffer.from(`${line}\r\n`) }
}

export function notFound(): Answer {
  return plainAnswer(404, 'Not found')
}

/** The answer to anything that was thrown. What is no HBaseError is a bug: it is logged and the server lives on. */
export function errorAnswer(error: unknown, logger: Logger): Answer {
  if (error instanceof Refusal) {
    return { ...plainAnswer(error.status, error.body), headers: error.headers }
  }
  if (isHBaseError(error)) {
    const status = restStatus[error.code]
    return plainAnswer(status, `${LINES.get(status) ?? 'Error'}\r\n${error.javaClass}: ${error.message}`)
  }
  logger.error({ err: error }, 'REST: an error that is no HBaseError')
  return plainAnswer(500, 'Server error')
}
