/** Sockets to a cluster's servers, plain or over TLS. */

import { connect, type Socket, type TcpNetConnectOpts } from 'node:net'
import { connect as connectTls } from 'node:tls'
import {
  type ClientIdentity,
  identityRefusal,
  isIdentityRefused,
} from '../../../src/model/client-identity.ts'

/** The trust in a server's certificate, which must be for the host that the client connects to. */
export interface TlsTrust {
  /** The certificates of trusted authorities, in PEM; undefined: those that Node knows. */
  readonly authorities?: string | undefined
  readonly identity?: ClientIdentity | undefined
}

export interface OpenedSocket {
  readonly socket: Socket
  /** The event after which the socket accepts writes. */
  readonly ready: 'connect' | 'secureConnect'
}

const UNKNOWN_AUTHORITY: ReadonlySet<string | undefined> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])
const UNFIT_CERTIFICATE: ReadonlySet<string | undefined> = new Set([
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'CERT_SIGNATURE_FAILURE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
])

/** True where one side does not accept the other's certificate: another attempt would fail as well. */
export function isUntrusted(error: NodeJS.ErrnoException): boolean {
  return UNKNOWN_AUTHORITY.has(error.code) || UNFIT_CERTIFICATE.has(error.code) || isIdentityRefused(error)
}

/** Node's message for a socket's failure, with advice where a certificate is the cause. */
export function socketFailureText(error: NodeJS.ErrnoException, tls?: TlsTrust): string {
  const { message, code } = error
  const refusal = identityRefusal(error, tls?.identity)
  if (refusal !== undefined) return refusal
  if (UNKNOWN_AUTHORITY.has(code))
    return `${message}: trust the certificate of the server's authority (tidegate: --tls-ca FILE)`
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return `${message} Servers announce the name at which clients connect: it must be in the certificate (Tidegate: serve --advertise HOST)`
  return message
}

/**
 * The probable cause where a server closes a connection before its first answer. With TLS 1.3 the client's handshake ends before the server
 * has checked the client's certificate.
 */
export function silentCloseHint(tls: TlsTrust | undefined): string {
  if (tls === undefined) return ' without an answer: it may want TLS'
  return tls.identity === undefined
    ? ''
    : " without an answer: it may not take the client's certificate; its log has the reason"
}

export function openSocket(options: TcpNetConnectOpts, tls: TlsTrust | undefined): OpenedSocket {
  if (tls === undefined) return { socket: connect(options), ready: 'connect' }
  const { host, port } = options
  const { authorities: ca, identity } = tls
  const socket = connectTls({
    host: host ?? 'localhost',
    port,
    minVersion: 'TLSv1.2',
    ...(ca !== undefined && { ca }),
    ...(identity !== undefined && { cert: identity.certificate, key: identity.key }),
  })
  socket.setNoDelay(true)
  return { socket, ready: 'secureConnect' }
}
