/** Errors as problem details (RFC 9457), for clients that accept `application/problem+json`. */

import { STATUS_CODES } from 'node:http'
import { isHBaseError } from '../../../model/errors.ts'
import type { Answer } from './answer.ts'
import { parseMediaRanges } from './media-range.ts'

export const PROBLEM_TYPE = 'application/problem+json'
const PROBLEM = /application\/problem\+json/i

/** The code of a 404 without an error: the table exists, but has no matching cells. */
const NOTHING_FOUND = 'NOTHING_FOUND'

/** The members of a problem. `code` (Tidegate's) and `exception` (HBase's class) are absent for errors without a code. */
export interface Problem {
  readonly type: 'about:blank'
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly instance: string
  readonly code?: string
  readonly exception?: string
  /** True where the same request may succeed later. */
  readonly mayRetry?: boolean
}

/** True where the client accepts problem details. */
export function acceptsProblem(accept: string | undefined): boolean {
  if (accept === undefined || !PROBLEM.test(accept)) return false
  try {
    return parseMediaRanges(accept).some(
      ({ type, subtype, quality }) => `${type}/${subtype}` === PROBLEM_TYPE && quality > 0,
    )
  } catch {
    return false
  }
}

/**
 * The header Accept without the type of problem details, which only errors have. Undefined where no other type is left.
 */
export function acceptWithoutProblem(accept: string | undefined): string | undefined {
  if (accept === undefined || !PROBLEM.test(accept)) return accept
  const others = accept.split(',').filter((range) => !PROBLEM.test(range))
  return others.length === 0 ? undefined : others.join(',')
}

/** The error answer as problem details; `thrown`: the error that the resource threw; undefined where it returned the answer. */
export function problemAnswer(answer: Answer, thrown: unknown, path: string): Answer {
  const { status, headers = {}, isAbsence = false } = answer
  const isAbsent = status === 404 && thrown === undefined
  const { code, exception, detail, mayRetry } = isAbsent
    ? { code: NOTHING_FOUND, mayRetry: false }
    : known(thrown)
  const text = Buffer.isBuffer(answer.body) ? answer.body.toString().trim() : ''
  const title = STATUS_CODES[status] ?? 'Error'
  const problem: Problem = {
    type: 'about:blank',
    title,
    status,
    detail: detail ?? (text === '' ? title : text),
    instance: path,
    ...(code !== undefined && { code }),
    ...(exception !== undefined && { exception }),
    ...(mayRetry !== undefined && { mayRetry }),
  }
  const body = Buffer.from(JSON.stringify(problem))
  return { status, headers, contentType: PROBLEM_TYPE, body, isAbsence }
}

type Known = Partial<Pick<Problem, 'code' | 'exception' | 'detail' | 'mayRetry'>>

function known(thrown: unknown): Known {
  if (!isHBaseError(thrown)) return {}
  const { code, javaClass, message, mayRetry } = thrown
  return { code, exception: javaClass, detail: message, mayRetry }
}

/**
 * The last line of NDJSON where reading rows failed. Clients recognise it by the member `error`, which no row has.
 *
 *     {"error":{"code":"TIMEOUT","exception":"org...","detail":"..."}}
 */
export function errorLine(error: unknown): Buffer {
  const reported = isHBaseError(error) ? known(error) : { detail: 'Server error' }
  return Buffer.from(`${JSON.stringify({ error: reported })}\n`)
}
