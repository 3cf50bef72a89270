/**
 * Holds back networks (see clientNetwork) whose tickets fail one after the other, or their delegation tokens: further ones are refused unchecked for
 * a time. A ticket that fails proves no name, so that the network alone counts. Clients that share it do not wait long: a login that succeeds
 * forgets all failures, and a wait is short, as no guess opens a ticket and only the work of checks is to be bounded.
 */

import { SaslFailure, type SaslServer, type SaslStep } from '../../../wire/sasl/sasl.ts'
import { clientNetwork } from '../../connections/client-network.ts'
import { type FailureKey, FailureWaits } from './failure-waits.ts'
import { tooManyFailures } from './login-errors.ts'
import type { LoginPlace } from './login-place.ts'

/** Failures in a row without a wait. */
const FREE = 30
const WAIT_MS_MAX = 4000

export class TicketAttempts {
  readonly #waits: FailureWaits

  /** `now`: milliseconds since any fixed moment. */
  constructor(now: () => number) {
    this.#waits = new FailureWaits(WAIT_MS_MAX, now)
  }

  /** Throws THROTTLED while the client's network has to wait. */
  check(place: LoginPlace): void {
    const waitMs = this.#waits.waitMs(keyOf(place))
    if (waitMs > 0) throw tooManyFailures(waitMs)
  }

  /** Counts the failure, if it is the client's: a login that could not be checked is none. */
  failed(place: LoginPlace, error: unknown): void {
    if (error instanceof SaslFailure) this.#waits.failed([keyOf(place)])
  }

  succeeded(place: LoginPlace): void {
    this.#waits.forget(keyOf(place))
  }

  /** A login in one step. `check` is not called while the client's network has to wait. */
  async tried<Result>(place: LoginPlace, check: () => Promise<Result>): Promise<Result> {
    this.check(place)
    try {
      const result = await check()
      this.succeeded(place)
      return result
    } catch (error) {
      this.failed(place, error)
      throw error
    }
  }
}

function keyOf({ address }: LoginPlace): FailureKey {
  return { key: clientNetwork(address), free: FREE }
}

/** A login in several steps, which begins unless the client's network has to wait. */
export class HeldLogin implements SaslServer {
  readonly #server: SaslServer
  readonly #attempts: TicketAttempts
  readonly #place: LoginPlace
  #hasBegun = false
  #isStepping = false
  #isClosed = false

  constructor(server: SaslServer, attempts: TicketAttempts, place: LoginPlace) {
    this.#server = server
    this.#attempts = attempts
    this.#place = place
  }

  get authenticated(): string {
    return this.#server.authenticated
  }

  get authorized(): string {
    return this.#server.authorized
  }

  get layer(): SaslServer['layer'] {
    return this.#server.layer
  }

  async step(token: Buffer): Promise<SaslStep> {
    if (!this.#hasBegun) this.#attempts.check(this.#place)
    this.#hasBegun = true
    this.#isStepping = true
    try {
      const step = await this.#server.step(token)
      if (step.isDone) this.#attempts.succeeded(this.#place)
      return step
    } catch (error) {
      this.#attempts.failed(this.#place, error)
      throw error
    } finally {
      this.#isStepping = false
      if (this.#isClosed) this.#server.close()
    }
  }

  /** Waits for a step that runs, which shows whether a client that has hung up had a ticket that counts. */
  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    if (!this.#isStepping) this.#server.close()
  }
}
