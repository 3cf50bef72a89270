import type { Socket } from 'node:net'
import { messageOf } from '../../../src/model/message-of.ts'
import { type ConnectionIdentity, encodeConnectionStart } from '../../../src/wire/rpc/connection-preamble.ts'
import type { ConnectionKerberos, RpcConnectionOptions } from './rpc-connection.ts'
import { RpcError, type RpcErrorCode } from './rpc-error.ts'
import { type LoggedIn, logIn } from './sasl-start.ts'
import { StartReader } from './start-reader.ts'

export interface StartOutcome {
  /** The server may get requests now. `login`: undefined without Kerberos. */
  open(login: LoggedIn | undefined): void
  /** The connection must end. */
  end(code: RpcErrorCode, why: string, cause?: unknown): void
}

/** The start of a connection, from the attempt to connect to the connection header. Each of its steps has the time of an attempt to connect. */
export class ConnectionStart {
  /** Takes the received bytes until the connection is open; undefined where the server says nothing before that. */
  readonly reader: StartReader | undefined
  /** True once the socket is connected. */
  isConnected = false
  readonly #options: RpcConnectionOptions
  readonly #stepMs: number
  readonly #outcome: StartOutcome
  #timer: NodeJS.Timeout | undefined
  #hasEnded = false

  /** `stepMs`: milliseconds for each step. */
  constructor(options: RpcConnectionOptions, stepMs: number, outcome: StartOutcome) {
    this.reader = options.kerberos && new StartReader()
    this.#options = options
    this.#stepMs = stepMs
    this.#outcome = outcome
    this.#expect('connection', 'CONNECT_FAILED')
  }

  /** Sends the beginning of the connection on a connected socket. */
  send(socket: Socket): void {
    this.isConnected = true
    const { kerberos, compressor } = this.#options
    const identity = { ...this.#options, compressorClass: compressor?.javaClass }
    if (kerberos !== undefined) {
      void this.#logIn(kerberos, identity, socket)
      return
    }
    socket.write(encodeConnectionStart(identity))
    this.#open(undefined)
  }

  /** The connection has ended. */
  end(reason: RpcError): void {
    this.#hasEnded = true
    clearTimeout(this.#timer)
    this.reader?.fail(reason)
  }

  async #logIn(kerberos: ConnectionKerberos, identity: ConnectionIdentity, socket: Socket): Promise<void> {
    const talk = {
      reader: this.reader!,
      send: (bytes: Buffer) => void socket.write(bytes),
      expect: (what: string) => this.#expect(what, 'LOGIN_FAILED'),
    }
    try {
      const login = await logIn(kerberos, identity, talk)
      if (this.#hasEnded) login.exchange?.close()
      else this.#open(login)
    } catch (error) {
      if (error instanceof RpcError) this.#outcome.end(error.code, error.message, error.cause)
      else this.#outcome.end('LOGIN_FAILED', messageOf(error), error)
    }
  }

  #open(login: LoggedIn | undefined): void {
    clearTimeout(this.#timer)
    this.#outcome.open(login)
  }

  #expect(what: string, code: RpcErrorCode): void {
    clearTimeout(this.#timer)
    if (this.#hasEnded) return
    this.#timer = setTimeout(
      () => this.#outcome.end(code, `no ${what} within ${this.#stepMs} ms`),
      this.#stepMs,
    )
  }
}
