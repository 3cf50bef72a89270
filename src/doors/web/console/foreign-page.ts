/** Refuses requests for the console's data that a page of another site sends through a user's browser. */

import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import { hostname } from 'node:os'

/** The console's own requests have this header. Browsers let pages of other origins send it only if the server allows that, which it never does. */
export const CONSOLE_HEADER = 'x-tidegate-console'

/** A request, as far as the check needs it. */
export interface Asked {
  readonly headers: IncomingHttpHeaders
  /** True where clients must log in. */
  readonly isGuarded: boolean
  readonly isChange: boolean
}

/** The reason to refuse the request; undefined for requests of the console itself and of programs. */
export function foreignPage({ headers, isGuarded, isChange }: Asked): string | undefined {
  const { host, origin, 'sec-fetch-site': site } = headers
  if (host === undefined) return 'the request has no Host header'
  if (site !== undefined && site !== 'same-origin' && site !== 'none') {
    return 'a page of another site sent the request'
  }
  if (origin !== undefined && !isOf(origin, host))
    return `a page of ${origin} sent the request, not one of ${host}`
  if (!isGuarded && !isOwnName(host)) {
    return (
      `another site may have pointed the name ${host} at this machine, and this server asks for no login: ` +
      'use an address, localhost or a name without dots, or require logins (--users)'
    )
  }
  if (!isChange) return undefined
  if (headers[CONSOLE_HEADER] === undefined) return `a change needs the header ${CONSOLE_HEADER}`
  const type = headers['content-type'] ?? ''
  return /^application\/json\b/i.test(type) ? undefined : 'a change must be JSON'
}

function isOf(origin: string, host: string): boolean {
  return URL.canParse(origin) && new URL(origin).host === host.toLowerCase()
}

/** False for names with dots: an attacker can own such a name and point it at this machine. */
function isOwnName(host: string): boolean {
  if (!URL.canParse(`http://${host}`)) return false
  const name = new URL(`http://${host}`).hostname.replace(/^\[(.*)\]$/, '$1')
  return (
    isIP(name) !== 0 ||
    !name.includes('.') ||
    name.endsWith('.localhost') ||
    name === hostname().toLowerCase()
  )
}
