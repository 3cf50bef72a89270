/** The mechanisms of SASL by which Thrift's clients log in: PLAIN with a password, GSSAPI with a Kerberos ticket. */

import type { Socket } from 'node:net'
import { ConnectionOrigin } from '../../../gateway/connections/connection-origin.ts'
import type { Guard } from '../../../gateway/identity/guard/guard.ts'
import { LoginPlace } from '../../../gateway/identity/guard/login-place.ts'
import { PLAIN, readPlain } from '../../../gateway/identity/guard/plain-mechanism.ts'
import { EMPTY } from '../../../model/bytes.ts'
import type { Principal } from '../../../store/call.ts'
import { type Protection, SaslFailure, type SaslLayer, type SaslServer } from '../../../wire/sasl/sasl.ts'

export const GSSAPI = 'GSSAPI'

/** Most bytes of a message of PLAIN, and of the name of a mechanism. A name and a password have far fewer. */
export const SMALL_MESSAGE_BYTES_MAX = 4096
/** Most bytes of a message of GSSAPI. A ticket with the groups of its user has up to 64 KB, and a client may delegate a second one. */
const GSSAPI_MESSAGE_BYTES_MAX = 128 * 1024

export interface LoggedIn {
  readonly principal: Principal
  /** Protects the connection's messages; undefined: they go as they are. */
  readonly layer: SaslLayer | undefined
}

export interface MechanismStep {
  /** The message for the client. */
  readonly answer: Buffer
  /** Undefined: the client sends another message. */
  readonly loggedIn: LoggedIn | undefined
}

/** A login that runs. Steps run one after the other. */
export interface Mechanism {
  /** Most bytes of a message of the client. */
  readonly messageBytesMax: number
  /** Takes a message of the client. Rejects with HBaseError, after which the login is over. */
  step(message: Buffer): Promise<MechanismStep>
  /** Gives the login's memory back, that of its layer too. May be called more than once, and while a step runs. */
  close(): void
}

/** Begins a login by the mechanism; undefined where the guard does not take it. */
export function beginMechanism(name: string, guard: Guard, socket: Socket): Mechanism | undefined {
  const place = new LoginPlace(ConnectionOrigin.of(socket), 'thrift')
  if (name === PLAIN) return guard.takesPasswords ? new PlainLogin(guard, place, socket) : undefined
  const service = name === GSSAPI ? guard.kerberos?.serviceAt('thrift') : undefined
  if (service === undefined || guard.kerberos === undefined) return undefined
  const protections = guard.kerberos.protectionsAt('thrift')
  return new GssapiLogin(guard, place, guard.ticketServer(service, protections, place), protections)
}

/** The names of the mechanisms that the guard takes. */
export function takenMechanisms(guard: Guard | undefined): string[] {
  const takesTickets = guard?.kerberos?.serviceAt('thrift') !== undefined
  return [...(guard?.takesPasswords === true ? [PLAIN] : []), ...(takesTickets ? [GSSAPI] : [])]
}

class PlainLogin implements Mechanism {
  readonly messageBytesMax = SMALL_MESSAGE_BYTES_MAX
  readonly #guard: Guard
  readonly #place: LoginPlace
  readonly #socket: Socket

  constructor(guard: Guard, place: LoginPlace, socket: Socket) {
    this.#guard = guard
    this.#place = place
    this.#socket = socket
  }

  async step(message: Buffer): Promise<MechanismStep> {
    const { actingAs, name, password } = readPlain(message)
    const shown = await this.#guard.ofConnection(name, password, this.#place, this.#socket)
    const principal = actingAs === '' ? shown : await this.#guard.actingFor(shown, actingAs, this.#place)
    return { answer: EMPTY, loggedIn: { principal, layer: undefined } }
  }

  close(): void {
    // Nothing outlives the one step.
  }
}

class GssapiLogin implements Mechanism {
  readonly messageBytesMax = GSSAPI_MESSAGE_BYTES_MAX
  readonly #guard: Guard
  readonly #place: LoginPlace
  readonly #exchange: SaslServer
  readonly #protections: readonly Protection[]
  #isStepping = false
  #isClosing = false
  #isClosed = false

  constructor(guard: Guard, place: LoginPlace, exchange: SaslServer, protections: readonly Protection[]) {
    this.#guard = guard
    this.#place = place
    this.#exchange = exchange
    this.#protections = protections
  }

  async step(message: Buffer): Promise<MechanismStep> {
    this.#isStepping = true
    try {
      const { token, isDone } = await this.#proven(message)
      const answer = token ?? EMPTY
      if (!isDone) return { answer, loggedIn: undefined }
      const principal = await this.#principal()
      return { answer, loggedIn: { principal, layer: this.#exchange.layer } }
    } finally {
      this.#isStepping = false
      if (this.#isClosing) this.close()
    }
  }

  async #proven(message: Buffer): Promise<{ token: Buffer | undefined; isDone: boolean }> {
    try {
      const step = await this.#exchange.step(message)
      if (step.isDone) this.#checkLayer()
      return step
    } catch (error) {
      this.#guard.reportKerberosFailure(this.#place, error)
      throw error
    }
  }

  #checkLayer(): void {
    const { layer } = this.#exchange
    const protection = layer?.protection ?? 'authentication'
    if (!this.#protections.includes(protection))
      throw new SaslFailure(
        `the client has chosen the protection ${protection}, and this server takes ${this.#protections.join(', ')}`,
      )
  }

  /** The user of the client's principal, or the one for which the client wants to act. HBase refuses a client that states another name than its own. */
  async #principal(): Promise<Principal> {
    const { authenticated, authorized } = this.#exchange
    const own = this.#guard.ofKerberos(authenticated, 'thrift', this.#place)
    if (authorized === '' || authorized === authenticated) return own
    return this.#guard.actingFor(own, this.#userOf(authorized, own), this.#place)
  }

  /** The user that an authorization id names: a principal with its realm, or the user's own name. */
  #userOf(authorized: string, own: Principal): string {
    if (!authorized.includes('@')) return authorized
    try {
      return this.#guard.kerberos!.userOf(authorized, 'thrift')
    } catch (error) {
      this.#guard.reportRefusal(authorized, this.#place, error, own.user)
      throw error
    }
  }

  close(): void {
    this.#isClosing = true
    if (this.#isClosed || this.#isStepping) return
    this.#isClosed = true
    this.#exchange.close()
  }
}
