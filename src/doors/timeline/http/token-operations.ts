/** Operations of delegation tokens, at any path. Hadoop: DelegationTokenAuthenticationHandler. */

import { InvalidToken } from '../../../gateway/identity/delegation/invalid-token.ts'
import type { Guard } from '../../../gateway/identity/guard/guard.ts'
import { Refused } from '../../../gateway/identity/guard/login-errors.ts'
import type { Principal } from '../../../store/call.ts'
import type { TimelineTokens } from '../delegation/timeline-tokens.ts'
import { Refusal } from './errors.ts'
import type { TimelineRequest } from './timeline-request.ts'

type Operation = 'GETDELEGATIONTOKEN' | 'RENEWDELEGATIONTOKEN' | 'CANCELDELEGATIONTOKEN'

const METHODS: Readonly<Record<Operation, string>> = {
  GETDELEGATIONTOKEN: 'GET',
  RENEWDELEGATIONTOKEN: 'PUT',
  CANCELDELEGATIONTOKEN: 'PUT',
}
const AUTHENTICATION = 'org.apache.hadoop.security.authentication.client.AuthenticationException'

/** The operation of a request; undefined for any other request. Throws Refusal for a wrong method. */
export function tokenOperation(request: TimelineRequest): Operation | undefined {
  const named = request.parameter('op')?.toUpperCase()
  const operation = Object.keys(METHODS).find((name) => name === named) as Operation | undefined
  if (operation === undefined || request.method === 'OPTIONS') return undefined
  const method = METHODS[operation]
  if (method !== request.method)
    throw badOperation(
      `Wrong HTTP method [${request.method}] for operation [${operation}], it should be [${method}]`,
    )
  return operation
}

/** The token that a request shows as its login; undefined without one. */
export function shownToken({ incoming: { headers }, parameter }: Shown): string | undefined {
  const header = headers['x-hadoop-delegation-token']
  return typeof header === 'string' ? header : parameter('delegation')
}

interface Shown {
  readonly incoming: { readonly headers: TimelineRequest['incoming']['headers'] }
  readonly parameter: (name: string) => string | undefined
}

/** The user of a token. Rejects with Refusal 403 for one that does not count. */
export async function userOfToken(tokens: TimelineTokens, text: string): Promise<Principal> {
  return orForbidden(tokens.userOf(text))
}

/**
 * The answer of an operation as JSON; undefined for one without a body. `logIn`: the client's login, which a cancellation by the token alone does not
 * need. Rejects with Refusal, and with the errors of the login.
 */
export async function runTokenOperation(
  tokens: TimelineTokens,
  guard: Guard,
  { operation, request }: { readonly operation: Operation; readonly request: TimelineRequest },
  logIn: () => Promise<Principal>,
): Promise<string | undefined> {
  if (operation === 'CANCELDELEGATIONTOKEN') {
    const { authorization, cookie } = request.incoming.headers
    const user = authorization === undefined && cookie === undefined ? undefined : (await logIn()).user
    try {
      await tokens.cancel(tokenParameter(request, operation), user)
    } catch (error) {
      if (!(error instanceof InvalidToken)) throw error
      throw new Refusal(404, `Invalid delegation token, cannot cancel: ${error.message}`, AUTHENTICATION, {
        code: 'ACCESS_DENIED',
      })
    }
    return undefined
  }
  const principal = await logIn()
  if (principal.method !== 'KERBEROS')
    throw new Refusal(403, 'delegation tokens are for clients that log in by Kerberos', AUTHENTICATION, {
      code: 'ACCESS_DENIED',
    })
  if (operation === 'GETDELEGATIONTOKEN') {
    const renewer = shortName(guard, request.parameter('renewer') ?? principal.user)
    const urlString = await tokens.issue(principal, renewer)
    return JSON.stringify({ Token: { urlString } })
  }
  const token = tokenParameter(request, operation)
  return JSON.stringify({ long: await orForbidden(tokens.renew(token, principal.user)) })
}

/** The user of a renewer, which may be a principal. Throws Refusal where that is no user. */
function shortName({ kerberos }: Guard, renewer: string): string {
  if (!/[/@]/.test(renewer)) return renewer
  try {
    return kerberos!.userOf(renewer, 'timeline')
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    throw badOperation(`the renewer is no user: ${error.message}`)
  }
}

function tokenParameter(request: TimelineRequest, operation: Operation): string {
  const token = request.parameter('token')
  if (token === undefined) throw badOperation(`Operation [${operation}] requires the parameter [token]`)
  return token
}

function badOperation(message: string): Refusal {
  return new Refusal(400, message, 'java.lang.IllegalArgumentException')
}

async function orForbidden<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof InvalidToken)) throw error
    throw new Refusal(403, error.message, AUTHENTICATION, { code: 'ACCESS_DENIED' })
  }
}
