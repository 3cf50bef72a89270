import type { IncomingMessage } from 'node:http'
import { UnclearLogin } from './unclear-login.ts'

/** The user that a client of HTTP wants to act for by the header doAs. Throws UnclearLogin for several. */
export function actingHeader({ headers, headersDistinct }: IncomingMessage): string | undefined {
  if (headers['doas'] === undefined) return undefined
  const named = new Set(headersDistinct['doas'])
  if (named.size > 1) throw new UnclearLogin('several headers doAs name different users')
  const [user] = named
  return user
}
