/** The host that answers name as the server's. */

import type { IncomingMessage } from 'node:http'
import { isIPv6 } from 'node:net'
import { ConnectionOrigin } from '../../../gateway/connections/connection-origin.ts'

/** RFC 3986: a name, or an address in brackets. */
const NAME = /^(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})+$/i
const PORT_MAX = 65_535

/**
 * As the client's header Host has it, or the connection's own end where the header is empty or no host: nobody can follow such
 * an address, and a page that shows it would show what the client pleases.
 */
export function ownHost({ headers, socket }: IncomingMessage): string {
  const { host = '' } = headers
  if (isIPv6(host)) return `[${host}]`
  const [, name = '', port] = /^(.*?)(?::(\d*))?$/s.exec(host) ?? []
  const isName = name.startsWith('[') ? name.endsWith(']') && isIPv6(name.slice(1, -1)) : NAME.test(name)
  if (isName && Number(port ?? 0) <= PORT_MAX) return host
  return ConnectionOrigin.of(socket).ownEnd
}
