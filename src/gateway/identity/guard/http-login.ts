/** The HTTP answer to a refused login. */

import type { OutgoingHttpHeaders } from 'node:http'
import { isHBaseError } from '../../../model/errors.ts'
import type { Guard } from './guard.ts'
import { Refused, UnclearLogin } from './login-errors.ts'

export interface LoginRefusal {
  readonly status: 400 | 401 | 429
  readonly reason: string
  readonly headers: Readonly<Record<string, string>> & OutgoingHttpHeaders
}

/** The answer to an error of a login; undefined for other errors. */
export function loginRefusal(guard: Guard, error: unknown): LoginRefusal | undefined {
  if (error instanceof Refused) {
    const challenges = guard.challenges.join(', ')
    const headers: Record<string, string> = challenges === '' ? {} : { 'www-authenticate': challenges }
    return { status: 401, reason: error.message, headers }
  }
  if (error instanceof UnclearLogin) return { status: 400, reason: error.message, headers: {} }
  if (!isHBaseError(error) || error.code !== 'THROTTLED') return undefined
  return { status: 429, reason: error.message, headers: { 'Retry-After': '1' } }
}
