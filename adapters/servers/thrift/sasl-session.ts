/** The client's side of a connection that logs in by SASL: by PLAIN, whose messages need no answer of the server, or by GSSAPI. */

import { EMPTY } from '../../../src/model/bytes.ts'
import { reasonOf } from '../../../src/model/error-reason.ts'
import { HBaseError, isHBaseError } from '../../../src/model/errors.ts'
import type { SaslExchange } from '../../../src/wire/sasl/sasl.ts'
import type { ServerOptions } from '../requests/server-options.ts'
import { type Challenge, SaslReader, STATUS, saslFrames, saslHello, saslMessage } from './sasl-frames.ts'

const GSSAPI = 'GSSAPI'

export interface SaslSessionParts {
  readonly send: (bytes: Buffer) => void
  /** Called with the contents of frames. */
  readonly received: (bytes: Buffer) => void
  /** Called once, after which the session does nothing more. */
  readonly failed: (error: unknown) => void
}

export class SaslSession {
  readonly #parts: SaslSessionParts
  readonly #reader: SaslReader
  /** Undefined: the login is one message, after which the client may go on at once. */
  readonly #exchange: SaslExchange | undefined
  /** True once this side needs no further step. */
  #isProven = false
  /** Messages that wait for the end of the login. */
  #unsent: Buffer[] = []
  #isClosed = false

  /** Undefined where the options state no login. Sends the begin of the login. */
  static begin(options: ServerOptions, parts: SaslSessionParts): SaslSession | undefined {
    const { ticket, credentials, limits } = options
    if (ticket !== undefined) {
      const exchange = ticket.login.saslClient(ticket.target, ticket.protections)
      return new SaslSession(parts, limits.answerBytesMax, exchange)
    }
    if (credentials === undefined) return undefined
    parts.send(saslHello(credentials))
    return new SaslSession(parts, limits.answerBytesMax, undefined)
  }

  private constructor(parts: SaslSessionParts, bytesMax: number, exchange: SaslExchange | undefined) {
    this.#parts = parts
    this.#exchange = exchange
    const answer = exchange && ((challenge: Challenge): void => void this.#answer(exchange, challenge))
    this.#reader = new SaslReader(bytesMax, answer)
    if (exchange !== undefined) void this.#begin(exchange)
  }

  /** Sends a message, at the latest once the login is done. */
  send(message: Buffer): void {
    if (this.#exchange !== undefined && !this.#reader.isLoggedIn) this.#unsent.push(message)
    else this.#parts.send(saslFrames(message, this.#exchange?.layer))
  }

  /** Takes bytes of the server. Throws like SaslReader. */
  receive(chunk: Buffer): void {
    const contents = this.#reader.push(chunk)
    if (contents.length > 0) this.#parts.received(contents)
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#exchange?.close()
  }

  async #begin(exchange: SaslExchange): Promise<void> {
    try {
      const { token, isDone } = await exchange.step(EMPTY)
      if (this.#isClosed) return
      this.#isProven = isDone
      const first = saslMessage(isDone ? STATUS.complete : STATUS.ok, token ?? EMPTY)
      this.#parts.send(Buffer.concat([saslMessage(STATUS.start, Buffer.from(GSSAPI)), first]))
    } catch (error) {
      this.#fail(error)
    }
  }

  async #answer(exchange: SaslExchange, { payload, isLast }: Challenge): Promise<void> {
    try {
      if (!this.#isProven) await this.#step(exchange, payload, isLast)
      else if (!isLast) throw new HBaseError('REFUSED', 'the server goes on with a login that is done')
      if (this.#isClosed) return
      this.#reader.goOn(isLast ? { layer: exchange.layer } : undefined)
      if (isLast) this.#open()
      const contents = this.#reader.read()
      if (contents.length > 0) this.#parts.received(contents)
    } catch (error) {
      this.#fail(error)
    }
  }

  async #step(exchange: SaslExchange, payload: Buffer, isLast: boolean): Promise<void> {
    const { token, isDone } = await exchange.step(payload)
    if (this.#isClosed) return
    this.#isProven = isDone
    // A server that lets the client in before it has proved itself may be another one.
    if (isLast && !isDone) throw new HBaseError('ACCESS_DENIED', 'the server ends the login too early')
    if (!isLast) this.#parts.send(saslMessage(isDone ? STATUS.complete : STATUS.ok, token ?? EMPTY))
  }

  #open(): void {
    const unsent = this.#unsent
    this.#unsent = []
    for (const message of unsent) this.send(message)
  }

  #fail(error: unknown): void {
    if (this.#isClosed) return
    this.#parts.failed(
      isHBaseError(error) ? error : new HBaseError('ACCESS_DENIED', reasonOf(error), { cause: error }),
    )
  }
}
