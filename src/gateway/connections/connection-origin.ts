/**
 * The client's end of a connection, for logins, logs and limits. A door notes it when it takes the connection, since a socket
 * forgets its addresses once it is closed. All streams that carry requests of one connection share one origin.
 */

import { isIPv6, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { TLSSocket } from 'node:tls'
import { assert } from '../../model/assert.ts'
import { plainAddress } from './address-set.ts'

/** A property, since reading one costs a request less than a lookup in a WeakMap. */
const ORIGIN = Symbol('the origin of a connection')

interface Noted {
  [ORIGIN]?: ConnectionOrigin
}

export class ConnectionOrigin {
  /** The address of the client; undefined where it had gone before the door took the connection. */
  readonly address: string | undefined
  /** The port of the client; undefined where the address is, and where a sibling hands the calls on. */
  readonly port: number | undefined
  /** The value of `Call.client`: `10.0.0.1:4711`, or the address alone where a sibling hands the calls on. */
  readonly name: string | undefined
  readonly isEncrypted: boolean
  /** The common name (CN) in the client's certificate, which TLS has checked; undefined without a certificate, or with several names. */
  readonly certificateName: string | undefined
  readonly #socket: Socket

  private constructor(socket: Socket, address: string | undefined, port?: number) {
    this.address = address
    this.port = port
    this.name = address !== undefined && port !== undefined ? nameOf(address, port) : address
    this.isEncrypted = socket instanceof TLSSocket
    this.certificateName = socket instanceof TLSSocket ? nameOfCertificate(socket) : undefined
    this.#socket = socket
  }

  /** Throws InvariantError for a stream that is no socket and has no origin noted. */
  static of(stream: Duplex): ConnectionOrigin {
    return (stream as Noted)[ORIGIN] ?? ConnectionOrigin.#taken(stream)
  }

  static #taken(stream: Duplex): ConnectionOrigin {
    assert(stream instanceof Socket, 'a stream carries requests, and no origin is noted for it')
    return noted(stream, new ConnectionOrigin(stream, stream.remoteAddress, stream.remotePort))
  }

  /** Notes that a sibling hands on the calls of a client with that address. */
  static handedOn(socket: Socket, address: string | undefined): void {
    noted(socket, new ConnectionOrigin(socket, address))
  }

  /** Notes that requests of the connection come through that stream from now on. */
  goesOnIn(stream: Duplex): void {
    noted(stream, this)
  }

  /** The server's end of the connection: `10.0.0.2:8080`. */
  get ownEnd(): string {
    const { localAddress = 'localhost', localPort } = this.#socket
    const address = plainAddress(localAddress)
    return `${isIPv6(address) ? `[${address}]` : address}:${localPort}`
  }
}

function noted(stream: Duplex, origin: ConnectionOrigin): ConnectionOrigin {
  Object.assign(stream, { [ORIGIN]: origin } satisfies Noted)
  return origin
}

function nameOfCertificate(socket: TLSSocket): string | undefined {
  if (!socket.authorized) return undefined
  const certificate = socket.getPeerCertificate() as { readonly subject?: { readonly CN?: unknown } } | null
  const name = certificate?.subject?.CN
  // A certificate with several names does not name one user.
  return typeof name === 'string' ? name : undefined
}

function nameOf(address: string, port: number): string {
  return `${address.includes(':') ? `[${address}]` : address}:${port}`
}
