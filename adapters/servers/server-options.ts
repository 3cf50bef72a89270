/** A server of REST or Thrift: where it is, who asks, and how long. */

import type { ClientIdentity } from '../../src/model/client-identity.ts'
import type { Introduction } from '../../src/store/introduction.ts'
import type { ServerTime } from './server-time.ts'

export interface Endpoint {
  readonly host: string
  readonly port: number
}

/** The server's certificate must be for the host that is asked. */
export interface Trust {
  /** Certificates of authorities, in PEM; undefined: those that Node knows. */
  readonly authorities?: string | undefined
  readonly identity?: ClientIdentity | undefined
}

/** A name and a password: Basic over HTTP, SASL PLAIN over raw Thrift. */
export interface Credentials {
  readonly user: string
  readonly password: string
}

export interface ServerLimits {
  /** More attempts after the first. */
  readonly retriesMax: number
  /** The first pause; later ones are longer. */
  readonly pauseMs: number
  /** One request. */
  readonly requestTimeoutMs: number
  /** An operation with all of its attempts. */
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
  /** Undefined: the server speaks the protocol that its address names. */
  readonly introduction?: Introduction | undefined
  readonly limits: ServerLimits
  readonly time: ServerTime
}
