/** The user that a client of HTTP wants to act for. */

import type { IncomingMessage } from 'node:http'
import { UnclearLogin } from './login-errors.ts'

/** By the header doAs alone. Throws UnclearLogin for several. */
export function actingHeader({ headers, headersDistinct }: IncomingMessage): string | undefined {
  if (headers['doas'] === undefined) return undefined
  const named = new Set(headersDistinct['doas'])
  if (named.size > 1) throw new UnclearLogin('several headers doAs name different users')
  const [user] = named
  return user
}

/**
 * By the header, or by a parameter of the query in any case, also with escaped letters, as HBase has it. HBase: RESTServletContainer. Throws
 * UnclearLogin where several of them name different users: a proxy sets the header, and hands on what its clients ask.
 */
export function actingUser(
  incoming: IncomingMessage,
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
