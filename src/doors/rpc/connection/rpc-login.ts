/**
 * The login of a client of native RPC: by Kerberos, by a delegation token, by a password or by its certificate. HBase: ServerRpcConnection,
 * HBaseSaslRpcServer.
 */

import type { Socket } from 'node:net'
import { ConnectionOrigin } from '../../../gateway/connections/connection-origin.ts'
import type { Guard } from '../../../gateway/identity/guard/guard.ts'
import { Refused } from '../../../gateway/identity/guard/login-errors.ts'
import { LoginPlace } from '../../../gateway/identity/guard/login-place.ts'
import { readPlain } from '../../../gateway/identity/guard/plain-mechanism.ts'
import { isHBaseError } from '../../../model/errors.ts'
import type { Principal } from '../../../store/call.ts'
import type { Protection, SaslLayer, SaslStep } from '../../../wire/sasl/sasl.ts'
import { ACCESS_DENIED_CLASS, ConnectionRefused } from '../contract/connection-refused.ts'
import type { ClientIdentity, PreambleLogins } from './connection-start.ts'
import { type LoginMechanism, SaslLogin } from './sasl-login.ts'

/** Longest frame of a client that has not logged in, in bytes. */
const STRANGER_BYTES_MAX = 64 * 1024
/** The same where such a frame may be a ticket: with the groups of its user it has up to 64 KB, and a client may delegate a second one. */
const TICKET_BYTES_MAX = 128 * 1024
/** The code of Kerberos in a preamble. HBase: AuthMethod.KERBEROS. */
const AUTH_KERBEROS = 0x51

export class RpcLogin implements PreambleLogins {
  readonly #guard: Guard
  readonly #socket: Socket
  readonly #place: LoginPlace
  #principal: Principal | undefined
  #isByPassword = false
  /** Undefined before a first message of Kerberos or of a delegation token. */
  #sasl: SaslLogin | undefined

  /** `door`: name of the port in the audit log and the metrics. */
  constructor(guard: Guard, socket: Socket, door: string) {
    this.#guard = guard
    this.#socket = socket
    this.#place = new LoginPlace(ConnectionOrigin.of(socket), door)
  }

  get takesKerberos(): boolean {
    return this.#guard.kerberos?.serviceAt('rpc') !== undefined
  }

  get serverPrincipal(): string {
    const principal = this.#guard.kerberos?.rpcPrincipal
    if (principal !== undefined) return principal
    throw new ConnectionRefused(
      'FatalConnectionException',
      'the server has no principal of its own: it takes tickets for each one in its keytab',
    )
  }

  /** Longest frame before the client has logged in, in bytes. */
  get frameBytesMax(): number {
    return this.takesKerberos ? TICKET_BYTES_MAX : STRANGER_BYTES_MAX
  }

  /** True where a client may begin with SASL: its login is checked, or refused with a message on what the server takes instead. */
  answersSasl(code: number): boolean {
    const { takesPasswords, delegation } = this.#guard
    if (code === AUTH_KERBEROS && this.takesKerberos) return true
    const mayLogIn = takesPasswords || delegation !== undefined
    return mayLogIn || this.#guard.ofCertificate(this.#place.connection) === undefined
  }

  /** Logs in a client without SASL. Throws ConnectionRefused where its certificate names no user. */
  byCertificate(): void {
    this.#principal = this.#guard.ofCertificate(this.#place.connection)
    if (this.#principal !== undefined) return
    const refusal = new ConnectionRefused(
      ACCESS_DENIED_CLASS,
      `Authentication is required: ${this.#guard.advice('rpc')}`,
    )
    this.#guard.reportRefusal(undefined, this.#place, refusal)
    throw refusal
  }

  /** Takes the next message of a login by SASL. `code`: that of the preamble. Rejects with the refusal. */
  async step(code: number, message: Buffer): Promise<SaslStep> {
    const mechanism = this.#sasl === undefined ? this.#mechanismOf(code, message) : undefined
    if (mechanism !== undefined) this.#sasl = new SaslLogin(mechanism)
    if (this.#sasl !== undefined) return await this.#sasl.step(message)
    await this.#byPassword(message)
    // Such a client expects no answer.
    return { token: undefined, isDone: true }
  }

  /** Undefined for the message of a password, which is never empty. A client of DIGEST-MD5 begins with an empty message. */
  #mechanismOf(code: number, message: Buffer): LoginMechanism | undefined {
    return code === AUTH_KERBEROS && this.takesKerberos ? this.#byTicket() : this.#byToken(message)
  }

  #byTicket(): LoginMechanism | undefined {
    const service = this.#guard.kerberos?.serviceAt('rpc')
    return (
      service && {
        server: this.#guard.ticketServer(service, this.#protections, this.#place),
        principalOf: (proved) => this.#guard.ofKerberos(proved, 'rpc', this.#place),
        failed: (error) => this.#guard.reportKerberosFailure(this.#place, error),
      }
    )
  }

  #byToken(message: Buffer): LoginMechanism | undefined {
    const { delegation } = this.#guard
    if (delegation === undefined || message.length > 0) return undefined
    return {
      server: this.#guard.delegationServer(delegation, this.#protections, this.#place),
      principalOf: (proved) => this.#guard.ofDelegationToken(proved, this.#place),
      failed: (error) => this.#guard.reportDelegationFailure(this.#place, error),
    }
  }

  get #protections(): readonly Protection[] {
    return this.#guard.kerberos?.protectionsAt('rpc') ?? ['authentication']
  }

  async #byPassword(message: Buffer): Promise<void> {
    const isOfToken = message.length === 0
    if (!this.#guard.takesPasswords || isOfToken) {
      const shown = isOfToken ? 'delegation tokens' : 'passwords'
      const refusal = new Refused(`${shown} are not taken here: ${this.#guard.advice('rpc')}`)
      this.#guard.reportRefusal(undefined, this.#place, refusal)
      throw refusal
    }
    const { actingAs, name, password } = readPlain(message)
    const shown = await this.#guard.ofConnection(name, password, this.#place, this.#socket)
    this.#principal = actingAs === '' ? shown : await this.#guard.actingFor(shown, actingAs, this.#place)
    this.#isByPassword = true
  }

  /** Once the login is done: the protection of all further messages, if they have any. */
  get layer(): SaslLayer | undefined {
    return this.#sasl?.layer
  }

  /** True where a connection header may ask for AES. HBase: ServerRpcConnection.setupCryptoCipher. */
  get takesAes(): boolean {
    return this.layer?.protection === 'privacy' && this.#guard.kerberos?.takesAes === true
  }

  /**
   * The user of the connection's calls. The name of a certificate counts, unless the client states that it acts for another user: the Java
   * client always states the user of its operating system. Throws ACCESS_DENIED where the client may not act for the stated user.
   */
  async userOf({ user: stated, realUser }: ClientIdentity): Promise<Principal> {
    const sasl = this.#sasl
    if (sasl !== undefined) return await this.#userOfSasl(sasl, stated)
    const principal = this.#principal!
    const isMeant = this.#isByPassword || realUser !== undefined
    if (stated === undefined || stated === principal.user || !isMeant) return principal
    return await this.#guard.actingFor(principal, stated, this.#place)
  }

  /** A client with Kerberos states its whole principal, or the user for whom it acts; one with a token states no user. */
  async #userOfSasl(sasl: SaslLogin, stated: string | undefined): Promise<Principal> {
    const { principal } = sasl
    if (stated === undefined || stated === sasl.proved) return principal
    const user = this.#shortNameOf(stated)
    return user === principal.user ? principal : await this.#guard.actingFor(principal, user, this.#place)
  }

  #shortNameOf(stated: string): string {
    const { kerberos } = this.#guard
    if (kerberos === undefined || !stated.includes('@')) return stated
    try {
      return kerberos.userOf(stated, 'rpc')
    } catch (error) {
      this.#guard.reportRefusal(stated, this.#place, error)
      throw error
    }
  }

  /** Gives the memory of the login back, and that of its layer. */
  close(): void {
    this.#sasl?.close()
  }
}

/** The refusal of a client that may not act for the user of its connection header. */
export function refusedLogin(error: unknown): unknown {
  if (!isHBaseError(error)) return error
  return new ConnectionRefused(error.javaClass, error.message)
}
