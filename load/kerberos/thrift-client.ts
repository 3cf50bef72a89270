/** A client of Thrift in frames, which logs in where the server asks for it. One call at a time. */

import type { Socket } from 'node:net'
import { DEFAULT_SERVER_LIMITS } from '../../adapters/servers/requests/server-options.ts'
import { SERVER_TIME } from '../../adapters/servers/requests/server-time.ts'
import { SaslSession } from '../../adapters/servers/thrift/sasl-session.ts'
import { openSocket } from '../../test/harness/load-connection.ts'
import { unframed } from '../gateway-requests.ts'
import type { BenchedServer } from './benched-server.ts'

const FRAME_HEAD_BYTES = 4

export class ThriftClient {
  readonly #socket: Socket
  readonly #session: SaslSession | undefined
  #chunks: Buffer[] = []
  #received = 0
  #settle: (message: Buffer) => void = () => undefined
  #fail: (error: unknown) => void = () => undefined

  /** The login ends with the first call. */
  static async open(server: BenchedServer): Promise<ThriftClient> {
    return new ThriftClient(await openSocket(server.ports.thrift), server)
  }

  private constructor(socket: Socket, server: BenchedServer) {
    this.#socket = socket
    this.#session = this.#begin(server)
    socket.on('data', (chunk: Buffer) => {
      if (this.#session === undefined) this.#take(chunk)
      else this.#session.receive(chunk)
    })
    socket.once('error', (error) => this.#fail(error))
    socket.once('close', () => {
      this.#session?.close()
      this.#fail(new Error(`${server.owner}, ${server.kind.name}, has closed a connection of Thrift`))
    })
  }

  #begin(server: BenchedServer): SaslSession | undefined {
    const { logins } = server
    if (logins === undefined) return undefined
    const { login, principals, thriftProtection } = logins
    const options = {
      endpoint: { host: '127.0.0.1', port: server.ports.thrift },
      ticket: { login, target: principals.thrift, protections: [thriftProtection] },
      limits: DEFAULT_SERVER_LIMITS,
      time: SERVER_TIME,
    }
    return SaslSession.begin(options, {
      send: (bytes) => this.#socket.write(bytes),
      received: (message) => this.#settle(message),
      failed: (error) => this.#fail(error),
    })
  }

  /** Resolves to the message of the answer. */
  call(frame: Buffer): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      this.#settle = resolve
      this.#fail = reject
      if (this.#session === undefined) this.#socket.write(frame)
      else this.#session.send(unframed(frame))
    })
  }

  #take(chunk: Buffer): void {
    const chunks = this.#chunks
    chunks.push(chunk)
    this.#received += chunk.length
    if (this.#received < FRAME_HEAD_BYTES) return
    if (chunks[0]!.length < FRAME_HEAD_BYTES) chunks.splice(0, chunks.length, Buffer.concat(chunks))
    if (this.#received < FRAME_HEAD_BYTES + chunks[0]!.readInt32BE(0)) return
    this.#chunks = []
    this.#received = 0
    this.#settle(unframed(Buffer.concat(chunks)))
  }

  close(): void {
    this.#fail = () => undefined
    this.#socket.destroy()
  }
}
