/** Kerberos, as the doors and the connections to other servers use it. `openKerberos` (gss/open-kerberos.ts) makes it of the system's GSSAPI. */

import { type Protection, type SaslExchange, SaslFailure, type SaslServer } from '../wire/sasl/sasl.ts'

export interface Kerberos {
  /** Logs in as a client of other servers, and keeps the login fresh until `close`. Rejects with KerberosError where the first login fails. */
  logIn(login: KerberosLoginOptions): Promise<KerberosLogin>
  /** Takes logins of clients for a service. Rejects with KerberosError where the keytab has no key of the principal. */
  accept(service: KerberosServiceOptions): Promise<KerberosService>
  close(): Promise<void>
}

/** With a keytab: the principal's key is read from it. Without: the tickets of a cache, which another program renews. */
export interface KerberosLoginOptions {
  /** `name@REALM` or `name/host@REALM`; undefined: the cache's own principal. */
  readonly principal?: string | undefined
  /** Path of the keytab; undefined: tickets come from `cache`. */
  readonly keytab?: string | undefined
  /** Name of a credential cache, such as FILE:/tmp/krb5cc_1000; undefined: the system's default. Not used with a keytab. */
  readonly cache?: string | undefined
}

export interface KerberosLogin {
  readonly principal: string
  /** Seconds until the ticket ends; 0 once it has. */
  readonly secondsLeft: number
  /** The reason why the last renewal failed, as a sentence; undefined where it did not. */
  readonly trouble: string | undefined
  /** The client's side of SASL GSSAPI. `target`: the server's principal `hbase/host@REALM` . `protections`: those that the client takes, best liked first. */
  saslClient(target: string, protections: readonly Protection[]): SaslExchange
  /** The token of a header `Authorization: Negotiate`. `target`: the server's principal, such as HTTP/host@REALM. */
  negotiate(target: string): Promise<Buffer>
  close(): void
}

export interface KerberosServiceOptions {
  /** `HTTP/host@REALM`; undefined or `*`: any principal in the keytab. */
  readonly principal?: string | undefined
  readonly keytab: string
}

export interface KerberosService {
  /** The server's side of SASL GSSAPI. `protections`: those that the server takes. */
  saslServer(protections: readonly Protection[]): SaslServer
  /**
   * Takes the token of a header `Authorization: Negotiate`, which must be whole: HTTP has one step. Rejects with SaslFailure: UnfinishedNegotiation
   * for a token that is the first of several.
   */
  negotiate(token: Buffer): Promise<Negotiated>
  close(): void
}

export interface Negotiated {
  /** The client's principal, `alice@REALM`. */
  readonly principal: string
  /** The token for the header `WWW-Authenticate: Negotiate` of the answer; undefined where the client expects none. */
  readonly token: Buffer | undefined
}

/** The client's token is no whole login: such as one of SPNEGO that prefers another mechanism. */
export class UnfinishedNegotiation extends SaslFailure {
  constructor() {
    super('the token is the first of several steps, and logins over HTTP have one step')
  }
}

/** A failure of Kerberos itself: no library, no keytab, no KDC. The message says what to do. */
export class KerberosError extends Error {
  override readonly name = 'KerberosError'
}
