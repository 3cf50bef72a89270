/** The server's host in addresses that answers contain. */

import { isIPv6 } from 'node:net'
import { ConnectionOrigin } from '../../../gateway/connections/connection-origin.ts'
import type { HttpRequest } from '../../../gateway/connections/http-request.ts'

/** A host name by RFC 3986. */
const NAME = /^(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})+$/i
const PORT_MAX = 65_535

/**
 * The client's header Host, or the connection's local address where the header is empty or malformed. A malformed header would give an
 * address that clients cannot follow, and let a client place text of its choice into pages.
 */
export function ownHost({ headers, socket }: HttpRequest): string {
  const { host = '' } = headers
  if (isIPv6(host)) return `[${host}]`
  const [, name = '', port] = /^(.*?)(?::(\d*))?$/s.exec(host) ?? []
  const isName = name.startsWith('[') ? name.endsWith(']') && isIPv6(name.slice(1, -1)) : NAME.test(name)
  if (isName && Number(port ?? 0) <= PORT_MAX) return host
  return ConnectionOrigin.of(socket).ownEnd
}
