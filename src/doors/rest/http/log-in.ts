import { actingUser } from '../../../gateway/identity/guard/acting-user.ts'
import type { Guard } from '../../../gateway/identity/guard/guard.ts'
import { loginRefusal } from '../../../gateway/identity/guard/http-login.ts'
import type { LoginPlace } from '../../../gateway/identity/guard/login-place.ts'
import { placeOf } from '../../../gateway/identity/proxies/request-origin.ts'
import type { Principal } from '../../../store/call.ts'
import { StatusError } from './errors.ts'
import type { RestRequest } from './request.ts'

/**
 * Authenticates the request's client, without a promise where the guard knows it already. Throws, or rejects with, a StatusError 401, 403 or
 * 429 for a failed login, ACCESS_DENIED for a client that may not act for the user it names.
 */
export function logIn(guard: Guard, request: RestRequest): void | Promise<void> {
  const place = placeOf(request.incoming, 'rest')
  try {
    const principal = guard.ofHttp(request.incoming, place, request)
    if (principal instanceof Promise || actingUser(request.incoming, request.query) !== undefined)
      return logInAs(guard, request, { shown: principal, place })
    request.principal = principal
  } catch (error) {
    throw refusal(guard, error, place, request)
  }
}

async function logInAs(
  guard: Guard,
  request: RestRequest,
  { shown, place }: { readonly shown: Principal | Promise<Principal>; readonly place: LoginPlace },
): Promise<void> {
  try {
    const principal = await shown
    const other = actingUser(request.incoming, request.query)
    request.principal = other === undefined ? principal : await guard.actingFor(principal, other, place)
  } catch (error) {
    throw refusal(guard, error, place, request)
  }
}

function refusal(guard: Guard, error: unknown, place: LoginPlace, request: RestRequest): unknown {
  const refused = loginRefusal(guard, error, place)
  if (refused === undefined) return error
  const { status, reason, headers } = refused
  const { line, code } = REFUSALS[status]
  const isUnread = isNegotiable(guard, status, place) && !isRead(request)
  const body = isUnread ? '' : `${line}: ${reason}`
  return new StatusError(status, code, reason, body, { headers, cause: error })
}

/** Whether the client is asked for a ticket, which it mostly shows with its next request. */
function isNegotiable(guard: Guard, status: number, place: LoginPlace): boolean {
  return status === 401 && guard.challengesAt(place).includes('Negotiate')
}

/**
 * Whether the client reads the reason: one that takes text says so, and one that has shown a login wants to know why it failed. HBase's own client of
 * REST (org.apache.hadoop.hbase.rest.client.Client) leaves the body of a challenge unread, and with it the connection: after a few it waits for one
 * for ever. HBase's server sends it none.
 */
function isRead({ incoming }: RestRequest): boolean {
  const { accept, authorization } = incoming.headers
  return authorization !== undefined || (accept !== undefined && /\btext\/|\*\/\*/i.test(accept))
}

const REFUSALS = {
  400: { line: 'Bad request', code: 'ILLEGAL_ARGUMENT' },
  401: { line: 'Unauthorized', code: 'ACCESS_DENIED' },
  403: { line: 'Forbidden', code: 'ACCESS_DENIED' },
  429: { line: 'Too many requests', code: 'THROTTLED' },
} as const
