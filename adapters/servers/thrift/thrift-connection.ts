/** One connection to a Thrift server. It carries one call at a time. */

import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { reasonOf } from '../../../src/model/error-reason.ts'
import { HBaseError } from '../../../src/model/errors.ts'
import type { Call } from '../../../src/store/call.ts'
import { clientTls, lastingFailure } from '../requests/client-tls.ts'
import { UNHEARD } from '../requests/retries.ts'
import type { ServerOptions } from '../requests/server-options.ts'
import { MessageBuffer } from './message-buffer.ts'
import { SaslSession } from './sasl-session.ts'

interface Pending {
  readonly resolve: (message: Buffer) => void
  readonly reject: (error: unknown) => void
}

export class ThriftConnection {
  readonly #options: ServerOptions
  readonly #isFramed: boolean
  readonly #socket: Socket
  readonly #messages: MessageBuffer
  readonly #sasl: SaslSession | undefined
  #pending: Pending | undefined
  #isReady = false

  constructor(options: ServerOptions, isFramed: boolean) {
    const { endpoint, trust, limits } = options
    this.#options = options
    this.#isFramed = isFramed
    this.#messages = new MessageBuffer(isFramed, limits.answerBytesMax)
    const { host, port } = endpoint
    this.#socket =
      trust === undefined
        ? connect({ host, port, noDelay: true })
        : connectTls({ host, port, ...clientTls(trust) })
    this.#socket.once(trust === undefined ? 'connect' : 'secureConnect', () => {
      this.#isReady = true
    })
    this.#socket.on('data', (chunk: Buffer) => this.#receive(chunk))
    this.#socket.on('error', (error) => this.#fail(error))
    this.#socket.on('close', () => this.#fail(new Error('the server closed the connection')))
    this.#sasl = SaslSession.begin(options, {
      send: (bytes) => void this.#socket.write(bytes),
      received: (bytes) => this.#take(bytes),
      failed: (error) => this.#end(error instanceof HBaseError ? this.#named(error) : this.#malformed(error)),
    })
  }

  get isOpen(): boolean {
    return !this.#socket.destroyed
  }

  /** Sends a message and returns the answer's. Throws UNAVAILABLE, REFUSED, TIMEOUT, CALLER_GONE, ACCESS_DENIED, and then closes the connection. */
  async exchange(message: Buffer, { signal }: Call, timeoutMs: number): Promise<Buffer> {
    const answer = new Promise<Buffer>((resolve, reject) => {
      this.#pending = { resolve, reject }
    })
    const { host, port } = this.#options.endpoint
    const late = (): void =>
      this.#end(new HBaseError('TIMEOUT', `no answer of ${host}:${port} within ${timeoutMs} ms`))
    const gone = (): void => this.#end(new HBaseError('CALLER_GONE', 'the client has hung up'))
    const timer = setTimeout(late, timeoutMs)
    signal?.addEventListener('abort', gone)
    const framed = this.#isFramed ? Buffer.concat([lengthOf(message), message]) : message
    try {
      if (this.#sasl === undefined) this.#socket.write(framed)
      else this.#sasl.send(framed)
      return await answer
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', gone)
    }
  }

  close(): void {
    this.#socket.destroy()
    this.#sasl?.close()
  }

  #receive(chunk: Buffer): void {
    try {
      if (this.#sasl === undefined) this.#take(chunk)
      else this.#sasl.receive(chunk)
    } catch (error) {
      this.#end(error instanceof HBaseError ? error : this.#malformed(error))
    }
  }

  #take(bytes: Buffer): void {
    const message = this.#messages.push(bytes)
    if (message === undefined) return
    const pending = this.#pending
    this.#pending = undefined
    pending?.resolve(message)
  }

  #named(error: HBaseError): HBaseError {
    const { host, port } = this.#options.endpoint
    return new HBaseError(error.code, `${host}:${port}: ${error.message}`, { cause: error })
  }

  #malformed(error: unknown): HBaseError {
    const { host, port } = this.#options.endpoint
    return new HBaseError(
      'REFUSED',
      `${host}:${port} does not answer by Thrift's binary protocol: ${reasonOf(error)}`,
      {
        cause: error,
      },
    )
  }

  #fail(error: Error): void {
    const { host, port } = this.#options.endpoint
    const lasting = lastingFailure(error, this.#options.trust)
    const reason = `${host}:${port}: ${lasting ?? reasonOf(error)}`
    this.#end(
      new HBaseError(lasting !== undefined ? 'REFUSED' : 'UNAVAILABLE', reason, {
        cause: error,
        detail: { [UNHEARD]: !this.#isReady },
      }),
    )
  }

  #end(error: HBaseError): void {
    this.close()
    const pending = this.#pending
    this.#pending = undefined
    pending?.reject(error)
  }
}

function lengthOf(message: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeInt32BE(message.length)
  return length
}
