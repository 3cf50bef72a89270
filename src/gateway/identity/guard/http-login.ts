/** The HTTP answer to a refused login. */

import { isHBaseError } from '../../../model/errors.ts'
import type { Guard } from './guard.ts'
import { DeniedLogin, ForeignPage, Refused, UnclearLogin } from './login-errors.ts'
import type { LoginPlace } from './login-place.ts'

/** Values by names. Of several values, each is a header of its own. */
export type LoginHeaders = Readonly<Record<string, string | string[]>>

export interface LoginRefusal {
  readonly status: 400 | 401 | 403 | 429
  readonly reason: string
  readonly headers: LoginHeaders
}

/** The answer to an error of a login; undefined for other errors. */
export function loginRefusal(guard: Guard, error: unknown, place: LoginPlace): LoginRefusal | undefined {
  if (error instanceof Refused) {
    const challenges = guard.challengesAt(place)
    return {
      status: 401,
      reason: error.message,
      headers: { ...challengeHeaders(challenges), ...forgetting(guard, place) },
    }
  }
  if (error instanceof DeniedLogin)
    return { status: 403, reason: error.message, headers: forgetting(guard, place) }
  // Without a challenge, to which a browser would answer by itself.
  if (error instanceof ForeignPage) return { status: 403, reason: error.message, headers: {} }
  if (error instanceof UnclearLogin) return { status: 400, reason: error.message, headers: {} }
  if (!isHBaseError(error) || error.code !== 'THROTTLED') return undefined
  return { status: 429, reason: error.message, headers: { 'Retry-After': '1' } }
}

/** Negotiate is a header of its own, since some of its clients look for it at the begin of one. */
function challengeHeaders(challenges: string[]): LoginHeaders {
  if (challenges.length === 0) return {}
  return { 'www-authenticate': challenges.includes('Negotiate') ? challenges : challenges.join(', ') }
}

function forgetting(guard: Guard, place: LoginPlace): LoginHeaders {
  const cookie = guard.forgettingCookie(place)
  return cookie === undefined ? {} : { 'Set-Cookie': cookie }
}
