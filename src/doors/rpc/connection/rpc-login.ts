/** The login of a client of native RPC: by SASL PLAIN, or by its certificate. HBase: ServerRpcConnection, HBaseSaslRpcServer. */

import type { Socket } from 'node:net'
import { ConnectionOrigin } from '../../../gateway/connections/connection-origin.ts'
import type { Guard } from '../../../gateway/identity/guard/guard.ts'
import { Refused } from '../../../gateway/identity/guard/login-errors.ts'
import { LoginPlace } from '../../../gateway/identity/guard/login-place.ts'
import { readPlain } from '../../../gateway/identity/guard/plain-mechanism.ts'
import { isHBaseError } from '../../../model/errors.ts'
import type { Principal } from '../../../store/call.ts'
import { ACCESS_DENIED_CLASS, type ClientIdentity, ConnectionRefused } from './connection-start.ts'

/** Longest frame of a client that has not logged in, in bytes. */
export const STRANGER_BYTES_MAX: number = 64 * 1024
/** HBase: SaslStatus.ERROR. */
const SASL_ERROR = 1

export class RpcLogin {
  readonly #guard: Guard
  readonly #socket: Socket
  readonly #place: LoginPlace
  #principal: Principal | undefined
  #isBySasl = false

  /** `door`: name of the port in the audit log and the metrics. */
  constructor(guard: Guard, socket: Socket, door: string) {
    this.#guard = guard
    this.#socket = socket
    this.#place = new LoginPlace(ConnectionOrigin.of(socket), door)
  }

  /** True where a client may begin with SASL: its password is checked, or refused with a message on what the server takes instead. */
  get answersSasl(): boolean {
    return this.#guard.takesPasswords || this.#guard.ofCertificate(this.#place.connection) === undefined
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

  /** Logs in by a message of SASL PLAIN. Throws the refusal. A client whose login succeeds expects no answer. */
  async byPassword(message: Buffer): Promise<void> {
    if (!this.#guard.takesPasswords) {
      const refusal = new Refused(`passwords are not taken here: ${this.#guard.advice('rpc')}`)
      this.#guard.reportRefusal(undefined, this.#place, refusal)
      throw refusal
    }
    const { actingAs, name, password } = readPlain(message)
    const shown = await this.#guard.ofConnection(name, password, this.#place, this.#socket)
    this.#principal = actingAs === '' ? shown : await this.#guard.actingFor(shown, actingAs, this.#place)
    this.#isBySasl = true
  }

  /**
   * The user of the connection's calls. The name of a certificate counts, unless the client states that it acts for another user: the Java
   * client always states the user of its operating system. Throws ACCESS_DENIED where the client may not act for the stated user.
   */
  async userOf({ user: stated, realUser }: ClientIdentity): Promise<Principal> {
    const principal = this.#principal!
    const isMeant = this.#isBySasl || realUser !== undefined
    if (stated === undefined || stated === principal.user || !isMeant) return principal
    return await this.#guard.actingFor(principal, stated, this.#place)
  }
}

/** The refusal of a client that may not act for the user of its connection header. */
export function refusedLogin(error: unknown): unknown {
  if (!isHBaseError(error)) return error
  return new ConnectionRefused(error.javaClass, error.message)
}

/** The answer to a refused SASL message: the status, then the error's class and message, each behind its int32 length. */
export function saslRefusal(error: unknown): Buffer {
  const message =
    isHBaseError(error) || error instanceof ConnectionRefused ? error.message : 'the login failed'
  const texts = [ACCESS_DENIED_CLASS, message].map((text) => Buffer.from(text))
  const parts = texts.flatMap((text) => [int32(text.length), text])
  return Buffer.concat([int32(SASL_ERROR), ...parts])
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}
