/** The place that a request of HTTP comes from: the other end of its connection, or the client that a trusted proxy there names. */

import type { IncomingMessage } from 'node:http'
import { TLSSocket } from 'node:tls'
import type { LoginPlace } from './guard/login-place.ts'

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

export function noteForwarded(incoming: IncomingMessage, origin: ForwardedOrigin): void {
  forwarded.set(incoming, origin)
}

/** The client's address that a trusted proxy has told; undefined: nobody has, the connection has it. */
export function forwardedAddress(incoming: IncomingMessage): string | undefined {
  return forwarded.get(incoming)?.address
}

export function placeOf(incoming: IncomingMessage, door: string): LoginPlace {
  const origin = forwarded.get(incoming)
  if (origin === undefined) return { door, address: incoming.socket.remoteAddress ?? '' }
  return { door, address: origin.address, via: origin.proxy }
}

/** Whether the client's own connection is encrypted, be it to this server or to a trusted proxy. */
export function isEncrypted(incoming: IncomingMessage): boolean {
  return forwarded.get(incoming)?.isEncrypted ?? incoming.socket instanceof TLSSocket
}
