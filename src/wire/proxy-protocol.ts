/** The PROXY protocol of HAProxy and of load balancers: a line or a binary head before the client's own bytes. No door reads it. */

import type { Buffer } from 'node:buffer'

const TEXT = 'PROXY '
const BINARY = '\r\n\r\n\0\r\nQUIT\n'

export const PROXY_PROTOCOL =
  'the PROXY protocol, which Tidegate does not read: switch it off in the proxy or load balancer'

/** True where a connection begins so. The first six bytes identify the binary head: no protocol of a door begins with them. */
export function isProxyProtocol(bytes: Buffer | undefined): boolean {
  if (bytes === undefined || bytes.length < TEXT.length) return false
  const begin = bytes.toString('latin1', 0, BINARY.length)
  return begin.startsWith(TEXT) || BINARY.startsWith(begin)
}
