/** Which requests for the console's data come from the console itself, and not from a page of another site in the same browser. */

import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import { hostname } from 'node:os'

/** The console's own requests have it. A page of another origin cannot send it unless the server allows that beforehand, which it never does. */
export const CONSOLE_HEADER = 'x-tidegate-console'

/** What the server knows of a request. */
export interface Asked {
  readonly headers: IncomingHttpHeaders
  /** Clients must show who they are. */
  readonly isGuarded: boolean
  readonly isChange: boolean
}

/** Why the request is refused; undefined where it is the console's own, or a program's. */
export function foreignPage({ headers, isGuarded, isChange }: Asked): string | undefined {
  const { host, origin, 'sec-fetch-site': site } = headers
  if (host === undefined) return 'the request names no host'
  if (site !== undefined && site !== 'same-origin' && site !== 'none') {
    return 'a page of another site asks'
  }
  if (origin !== undefined && !isOf(origin, host)) return `a page of ${origin} asks, and not one of ${host}`
  if (!isGuarded && !isOwnName(host)) {
    return (
      `${host} may be a name that another site has given this machine, and nobody is asked who he is here: ` +
      'use an address, localhost or a name without dots, or let users log in (--users)'
    )
  }
  if (!isChange) return undefined
  if (headers[CONSOLE_HEADER] === undefined) return `a change has the header ${CONSOLE_HEADER}`
  const type = headers['content-type'] ?? ''
  return /^application\/json\b/i.test(type) ? undefined : 'a change is JSON'
}

function isOf(origin: string, host: string): boolean {
  return URL.canParse(origin) && new URL(origin).host === host.toLowerCase()
}

/** Names with dots are those that a site on the Internet can have, and can let point to this machine. */
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
