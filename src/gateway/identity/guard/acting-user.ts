/** The user for whom a client of HTTP wants to act (Hadoop: doAs). */

import type { HttpRequest } from '../../connections/http-request.ts'
import { UnclearLogin } from './login-errors.ts'

/** The user in the header doAs. Throws UnclearLogin where several headers name different users. */
export function actingHeader({ headers, headersDistinct }: HttpRequest): string | undefined {
  if (headers['doas'] === undefined) return undefined
  const named = new Set(headersDistinct['doas'])
  if (named.size > 1) throw new UnclearLogin('several headers doAs name different users')
  const [user] = named
  return user
}

/**
 * The user in the header doAs or in the query's parameter of that name, in upper or lower case, also with escaped letters. HBase:
 * RESTServletContainer. Throws UnclearLogin where they name different users: a proxy sets the header, but sends on the query of its client.
 */
export function actingUser(
  incoming: HttpRequest,
  parameters: Iterable<readonly [string, string]>,
): string | undefined {
  const ofHeader = actingHeader(incoming)
  let user = ofHeader
  for (const [name, value] of parameters) {
    if (name.toLowerCase() !== 'doas') continue
    if (user !== undefined && user !== value)
      throw new UnclearLogin(
        ofHeader === undefined
          ? 'several parameters doAs name different users'
          : 'the header doAs and the parameter doAs name different users',
      )
    user = value
  }
  return user
}
