/** Stands before a door with TLS. It does the handshake, and passes on connections whose plain bytes the door reads. */

import type { X509Certificate } from 'node:crypto'
import type { Socket } from 'node:net'
import { createServer, type Server, type TLSSocket } from 'node:tls'
import type { Logger } from 'pino'
import { reasonOf } from '../../../model/error-reason.ts'
import { isProxyProtocol } from '../../../wire/proxy-protocol.ts'
import { ConnectionAdmission } from '../../connections/connection-admission.ts'
import { reportProxyProtocol } from '../../connections/proxied-connection.ts'
import type { Limits } from '../../limits/limits.ts'
import type { AuditLog } from '../../observing/audit/audit-log.ts'
import { IncidentLog } from '../../observing/logs/incident-log.ts'
import type { Certificates } from './certificates.ts'
import { writePiecewise } from './piecewise-writes.ts'
import {
  certificateRefused,
  type RefusedCertificate,
  refusalText,
  refusedCertificate,
} from './refused-certificate.ts'

/** The type of the first TLS record of a client. No door's own protocol begins with this byte. */
const HANDSHAKE = 0x16

export interface TlsFrontParts {
  /** The name of the door. */
  readonly door: string
  readonly certificates: Certificates
  readonly limits: Pick<Limits, 'headersMs' | 'connectionsMax'>
  readonly descriptorsMax?: number | undefined
  readonly logger: Logger
  /** Receives refused certificates; undefined: there is no audit log. */
  readonly audit?: AuditLog | undefined
  /** Called for each connection that ends in the handshake: no TLS client, a bad handshake, a refused certificate. */
  readonly malformed: () => void
  /** Answers a client without TLS in the door's protocol, and ends the connection; undefined: it is ended without an answer. */
  readonly refusePlain?: (socket: Socket) => void
}

interface Shaking {
  readonly address: string | undefined
  certificate?: X509Certificate | undefined
}

interface Waiting {
  readonly socket: Socket
  readonly serve: (socket: Socket) => void
}

export class TlsFront {
  readonly #parts: TlsFrontParts
  readonly #server: Server
  readonly #admission: ConnectionAdmission
  /** Connections in the handshake, by the client's address and port. */
  readonly #waiting = new Map<string, Waiting>()
  readonly #forget: () => void
  readonly #incidents: IncidentLog
  /** Connections in the handshake whose client must send a certificate. */
  readonly #shaking = new WeakMap<TLSSocket, Shaking>()

  constructor(parts: TlsFrontParts) {
    this.#parts = parts
    const { certificates, limits, logger } = parts
    const { clientAuthorities, areClientCertificatesOptional } = certificates.settings
    this.#incidents = new IncidentLog(logger)
    this.#admission = new ConnectionAdmission({ ...parts, connectionsMax: limits.connectionsMax })
    this.#server = createServer({
      ...certificates.options,
      allowHalfOpen: true,
      handshakeTimeout: limits.headersMs,
      requestCert: clientAuthorities.length > 0,
      rejectUnauthorized: clientAuthorities.length > 0 && !areClientCertificatesOptional,
      SNICallback: (name, done) => done(null, certificates.contextFor(name)),
    })
    this.#server.on('secureConnection', (socket) => this.#secured(socket))
    if (clientAuthorities.length > 0 && !areClientCertificatesOptional) this.#noteCertificates()
    this.#server.on('tlsClientError', (error, socket) => {
      const { certificate, address = socket.remoteAddress } = this.#shaking.get(socket) ?? {}
      const refused = refusedCertificate(socket, error, certificate)
      if (refused === undefined) this.#failed(socket, reasonOf(error))
      else this.#refused(socket, address, refused)
    })
    this.#server.on('error', (err) => logger.error({ err }, 'TLS failed'))
    this.#forget = certificates.onChange((options) => this.#server.setSecureContext(options))
  }

  /**
   * Node ends a connection with a refused certificate before it exposes it, and certificate and address are then gone. A listener for keys gets
   * each connection during its handshake. The keys themselves are dropped.
   */
  #noteCertificates(): void {
    this.#server.on('keylog', (_, socket) => {
      if (this.#shaking.has(socket)) return
      const shaking: Shaking = { address: socket.remoteAddress }
      this.#shaking.set(socket, shaking)
      socket.prependOnceListener('secure', () => {
        shaking.certificate = socket.getPeerX509Certificate()
      })
    })
  }

  /** Passes the connection to `serve` after the handshake, or at once if it is a plain one and the door takes these. */
  open(socket: Socket, serve: (socket: Socket) => void): void {
    const peer = peerOf(socket)
    if (this.#admission.refusal(socket, this.#waiting.size) !== undefined) {
      socket.destroy()
      return
    }
    const waiting = { socket, serve }
    this.#waiting.set(peer, waiting)
    const destroy = (): void => void socket.destroy()
    const late = setTimeout(destroy, this.#parts.limits.headersMs)
    socket.on('error', destroy)
    socket.once('close', () => {
      clearTimeout(late)
      if (this.#waiting.get(peer) === waiting) this.#waiting.delete(peer)
    })
    socket.once('readable', () => {
      const bytes = socket.read() as Buffer | null
      clearTimeout(late)
      if (bytes === null) {
        socket.destroy()
        return
      }
      socket.off('error', destroy)
      socket.unshift(bytes)
      if (bytes[0] !== HANDSHAKE) {
        this.#plain(waiting, bytes)
        return
      }
      // A client that ends its side during the handshake is gone. The TLS socket inherits the setting.
      socket.allowHalfOpen = false
      this.#server.emit('connection', socket)
    })
  }

  #plain({ socket, serve }: Waiting, bytes: Buffer): void {
    const { door, certificates, refusePlain, malformed } = this.#parts
    this.#waiting.delete(peerOf(socket))
    if (certificates.settings.plainToo.has(door)) {
      serve(socket)
      return
    }
    malformed()
    if (isProxyProtocol(bytes)) reportProxyProtocol(this.#incidents, door, socket)
    else this.#reportRefusal(socket, 'it does not begin with a TLS handshake')
    socket.on('error', () => socket.destroy())
    if (refusePlain === undefined) socket.destroy()
    else refusePlain(socket)
  }

  #secured(socket: TLSSocket): void {
    const peer = peerOf(socket)
    const waiting = this.#waiting.get(peer)
    this.#waiting.delete(peer)
    if (waiting === undefined) {
      socket.destroy()
      return
    }
    // Where certificates are optional, Node reports one of an unknown authority only here.
    const { clientAuthorities } = this.#parts.certificates.settings
    const isRefused = clientAuthorities.length > 0 && !socket.authorized
    const certificate = isRefused ? socket.getPeerX509Certificate() : undefined
    if (certificate !== undefined) {
      const refused = certificateRefused(String(socket.authorizationError), certificate)
      this.#refused(socket, socket.remoteAddress, refused)
    } else {
      socket.disableRenegotiation()
      writePiecewise(socket)
      socket.allowHalfOpen = true
      waiting.serve(socket)
    }
  }

  #failed(socket: Socket, reason: string): void {
    this.#parts.malformed()
    this.#reportRefusal(socket, reason)
    socket.destroy()
  }

  #refused(socket: TLSSocket, address: string | undefined, refused: RefusedCertificate): void {
    const { door, audit, malformed, certificates } = this.#parts
    const reason = refusalText(refused)
    const { code, claimedUser } = refused
    malformed()
    certificates.refusals.refused(door, code)
    audit?.write({ door, user: undefined, claimedUser, address, action: 'login', allowed: false, reason })
    this.#incidents.report({
      key: `${refused.code} ${address}`,
      level: 'warn',
      message: `${door}: ${reason}`,
      fields: { door, remote: address, ...refused },
    })
    socket.destroy()
  }

  #reportRefusal(socket: Socket, reason: string): void {
    const { door, logger } = this.#parts
    logger.debug({ door, remote: socket.remoteAddress }, `a connection was refused: ${reason}`)
  }

  /** Ends the connections that are in the handshake. */
  close(): void {
    this.#forget()
    this.#incidents.close()
    for (const { socket } of this.#waiting.values()) socket.destroy()
  }
}

/** The key of a connection, which no other open connection of the door has. */
function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`
}

/** The part between a port and its door. */
export type ConnectionFront = Pick<TlsFront, 'open' | 'close'>

const OPEN: ConnectionFront = {
  open: (socket, serve) => serve(socket),
  close: () => undefined,
}

/** Without certificates all connections are passed on as they come. */
export function tlsFront(
  parts: Omit<TlsFrontParts, 'certificates'> & { readonly certificates?: Certificates | undefined },
): ConnectionFront {
  const { certificates } = parts
  return certificates === undefined ? OPEN : new TlsFront({ ...parts, certificates })
}
