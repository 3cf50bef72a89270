/** The options of a connection to a server of REST or Thrift: its address, the login, the limits. */

import type { KerberosLogin } from '../../../src/kerberos/kerberos.ts'
import type { ClientIdentity } from '../../../src/model/client-identity.ts'
import type { Introduction } from '../../../src/store/introduction.ts'
import type { Protection } from '../../../src/wire/sasl/sasl.ts'
import type { ServerTime } from './server-time.ts'

export interface Endpoint {
  readonly host: string
  readonly port: number
}

/** The trust in a server's certificate, which must be for the host that the client connects to. */
export interface Trust {
  /** The certificates of trusted authorities, in PEM; undefined: those that Node knows. */
  readonly authorities?: string | undefined
  readonly identity?: ClientIdentity | undefined
}

/** A name and a password: Basic over HTTP, SASL PLAIN over raw Thrift. */
export interface Credentials {
  readonly user: string
  readonly password: string
}

/** A login by a Kerberos ticket: SASL GSSAPI over raw Thrift, SPNEGO over HTTP. */
export interface TicketLogin {
  readonly login: Pick<KerberosLogin, 'saslClient' | 'negotiate'>
  /** The server's principal, such as hbase/host@REALM, or HTTP/host@REALM over HTTP. */
  readonly target: string
  /** The protections that the client takes over raw Thrift, best liked first. */
  readonly protections: readonly Protection[]
}

export interface ServerLimits {
  /** The most attempts after the first. */
  readonly retriesMax: number
  /** The first pause, in milliseconds. Later pauses are longer. */
  readonly pauseMs: number
  /** Milliseconds for one request. */
  readonly requestTimeoutMs: number
  /** Milliseconds for an operation with all of its attempts. */
  readonly operationTimeoutMs: number
  /** The most bytes of one answer. */
  readonly answerBytesMax: number
}

export const DEFAULT_SERVER_LIMITS: ServerLimits = {
  retriesMax: 10,
  pauseMs: 100,
  requestTimeoutMs: 60_000,
  operationTimeoutMs: 600_000,
  answerBytesMax: 256 * 1024 * 1024,
}

export interface ServerOptions {
  readonly endpoint: Endpoint
  /** Undefined: connections are not encrypted. */
  readonly trust?: Trust | undefined
  readonly credentials?: Credentials | undefined
  /** Takes precedence over the credentials. */
  readonly ticket?: TicketLogin | undefined
  /** Undefined: the server speaks the protocol that its address names. */
  readonly introduction?: Introduction | undefined
  /** Called with the reason before a request is repeated. */
  readonly onRetry?: ((reason: string) => void) | undefined
  readonly limits: ServerLimits
  readonly time: ServerTime
}
