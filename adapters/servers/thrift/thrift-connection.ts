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
import { SaslReader, saslFrames, saslHello } from './sasl-frames.ts'

interface Pending {
  readonly resolve: (message: Buffer) => void
  readonly reject: (error: unknown) => void
}

export class ThriftConnection {
  readonly #options: ServerOptions
  readonly #isFramed: boolean
  readonly #socket: Socket
  readonly #messages: MessageBuffer
  readonly #sasl: SaslReader | undefined
  #pending: Pending | undefined
  #isReady = false

  constructor(options: ServerOptions, isFramed: boolean) {
    const { endpoint, trust, credentials, limits } = options
    this.#options = options
    this.#isFramed = isFramed
    this.#messages = new MessageBuffer(isFramed, limits.answerBytesMax)
    this.#sasl = credentials && new SaslReader(limits.answerBytesMax)
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
    if (credentials !== undefined) this.#socket.write(saslHello(credentials))
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
    this.#socket.write(this.#sasl === undefined ? framed : saslFrames(framed))
    try {
      return await answer
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', gone)
    }
  }

  close(): void {
    this.#socket.destroy()
  }

  #receive(chunk: Buffer): void {
    try {
      const bytes = this.#sasl === undefined ? chunk : this.#sasl.push(chunk)
      const message = bytes.length === 0 ? undefined : this.#messages.push(bytes)
      if (message === undefined) return
      const pending = this.#pending
      this.#pending = undefined
      pending?.resolve(message)
    } catch (error) {
      this.#end(error instanceof HBaseError ? error : this.#malformed(error))
    }
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
    this.#socket.destroy()
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
