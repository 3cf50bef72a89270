/** The place that a request of HTTP comes from: the other end of its connection, or the client that a trusted proxy there names. */

import type { IncomingMessage } from 'node:http'
import { ConnectionOrigin } from '../../connections/connection-origin.ts'
import { LoginPlace } from '../guard/login-place.ts'

/** A client of a trusted proxy. */
export interface ForwardedOrigin {
  readonly address: string
  /** Undefined: the proxy does not tell. */
  readonly isEncrypted: boolean | undefined
  /** The proxy's own address. */
  readonly proxy: string
}

/** Nothing is in it where no proxy is trusted. */
const forwarded: WeakMap<IncomingMessage, ForwardedOrigin> = new WeakMap()
/** A look into an empty map takes 30 ns, some of each request: where no proxy is trusted, nobody looks. */
let isForwarding = false

export function noteForwarded(incoming: IncomingMessage, origin: ForwardedOrigin): void {
  isForwarding = true
  forwarded.set(incoming, origin)
}

/** The client's address that a trusted proxy has told; undefined: nobody has, the connection has it. */
export function forwardedAddress(incoming: IncomingMessage): string | undefined {
  return isForwarding ? forwarded.get(incoming)?.address : undefined
}

export function placeOf(incoming: IncomingMessage, door: string): LoginPlace {
  return new LoginPlace(ConnectionOrigin.of(incoming.socket), door, forwarded.get(incoming))
}

/** Whether the client's own connection is encrypted, be it to this server or to a trusted proxy. */
export function isEncrypted(incoming: IncomingMessage): boolean {
  const told = isForwarding ? forwarded.get(incoming)?.isEncrypted : undefined
  return told ?? ConnectionOrigin.of(incoming.socket).isEncrypted
}
