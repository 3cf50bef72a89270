/** The origin of an HTTP request: the client of its connection, or the client that a trusted proxy names. */

import { ConnectionOrigin } from '../../connections/connection-origin.ts'
import type { HttpRequest } from '../../connections/http-request.ts'
import { LoginPlace } from '../guard/login-place.ts'

/** A client behind a trusted proxy. */
export interface ForwardedOrigin {
  readonly address: string
  /** Undefined where the proxy does not say. */
  readonly isEncrypted: boolean | undefined
  /** The address of the proxy. */
  readonly proxy: string
}

/** Empty where no proxy is trusted. */
const forwarded: WeakMap<HttpRequest, ForwardedOrigin> = new WeakMap()
/** A lookup in an empty map takes 30 ns of each request. It is left out where no proxy is trusted. */
let isForwarding = false

export function noteForwarded(incoming: HttpRequest, origin: ForwardedOrigin): void {
  isForwarding = true
  forwarded.set(incoming, origin)
}

/** The client's address by a trusted proxy; undefined: the client is the other end of the connection. */
export function forwardedAddress(incoming: HttpRequest): string | undefined {
  return isForwarding ? forwarded.get(incoming)?.address : undefined
}

export function placeOf(incoming: HttpRequest, door: string): LoginPlace {
  return new LoginPlace(ConnectionOrigin.of(incoming.socket), door, forwarded.get(incoming))
}

/** Whether the client's own connection, to this server or to a trusted proxy, is encrypted. */
export function isEncrypted(incoming: HttpRequest): boolean {
  const byProxy = isForwarding ? forwarded.get(incoming)?.isEncrypted : undefined
  return byProxy ?? ConnectionOrigin.of(incoming.socket).isEncrypted
}
