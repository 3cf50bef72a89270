/**
 * The login of a connection by SASL. It lets no client read more: Java's clients with a JAAS section `Client` give up at a server that takes no
 * login.
 */

import type { Guard } from '../../../gateway/identity/guard/guard.ts'
import type { LoginPlace } from '../../../gateway/identity/guard/login-place.ts'
import { SaslFailure, type SaslServer, type SaslStep } from '../../../wire/sasl/sasl.ts'

/** Most bytes of a client's message: tickets with the groups of a large directory have some ten thousand. */
const TOKEN_BYTES_MAX = 65_535

export class SaslSession {
  readonly #guard: Guard | undefined
  readonly #place: LoginPlace
  #server: SaslServer | undefined
  #isClosed = false

  constructor(guard: Guard | undefined, place: LoginPlace) {
    this.#guard = guard
    this.#place = place
  }

  /** Undefined where the server takes no logins by Kerberos. Rejects with SaslFailure. */
  async step(token: Buffer): Promise<SaslStep | undefined> {
    const guard = this.#guard
    const service = guard?.kerberos?.zookeeper
    if (guard === undefined || service === undefined || this.#isClosed) return undefined
    try {
      if (token.length > TOKEN_BYTES_MAX)
        throw new SaslFailure(`a message of a login of more than ${TOKEN_BYTES_MAX} bytes`)
      this.#server ??= guard.ticketServer(service, ['authentication'], this.#place)
      return await this.#server.step(token)
    } catch (error) {
      guard.reportKerberosFailure(this.#place, error)
      throw error
    }
  }

  /** Once the login is done: the client's principal. */
  get principal(): string {
    return this.#server?.authenticated ?? ''
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#server?.close()
  }
}
