/** Clients that begin a handshake or a login and never end it. */

import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { SaslStatus, saslMessage } from './sasl-login.ts'

/** The door that they come to, and the bytes after which they say nothing more. */
export interface HalfOpening {
  readonly name: string
  readonly door: 'rest' | 'thrift' | 'rpc'
  readonly bytes: Buffer
}

/** Of a server with TLS. */
export async function halfHandshakes(): Promise<readonly HalfOpening[]> {
  return [
    { name: 'TLS, three bytes of a ClientHello', door: 'rest', bytes: Buffer.of(0x16, 3, 1) },
    { name: 'TLS, a ClientHello and no answer', door: 'rest', bytes: await clientHello() },
  ]
}

/** Of a server without TLS whose clients must log in. */
export const HALF_LOGINS: readonly HalfOpening[] = [
  {
    name: 'HTTP, half of the credentials',
    door: 'rest',
    bytes: Buffer.from('GET /version HTTP/1.1\r\nHost: x\r\nAuthorization: Basic YWxp'),
  },
  {
    name: 'SASL of Thrift, the mechanism alone',
    door: 'thrift',
    bytes: saslMessage(SaslStatus.start, 'PLAIN'),
  },
  { name: 'SASL of native RPC, the preamble alone', door: 'rpc', bytes: Buffer.from('HBas\0\x52', 'latin1') },
]

/** A connection of the kind. Resolves once it is there. */
export async function openHalf(port: number, { bytes }: HalfOpening): Promise<HalfOpen> {
  const socket = connect({ port, host: '127.0.0.1' })
  const half = new HalfOpen(socket)
  await once(socket, 'connect')
  socket.write(bytes)
  return half
}

export class HalfOpen {
  /** Resolves when the server has ended it. */
  readonly ended: Promise<void>
  readonly #socket: Socket

  constructor(socket: Socket) {
    this.#socket = socket
    socket.on('error', () => undefined)
    socket.resume()
    this.ended = new Promise((resolve) => {
      socket.once('close', () => resolve())
    })
  }

  destroy(): void {
    this.#socket.destroy()
  }
}

/** What Node's client of TLS says first. */
async function clientHello(): Promise<Buffer> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const client = connectTls({ port, host: '127.0.0.1' })
  client.on('error', () => undefined)
  const [socket] = (await once(server, 'connection')) as [Socket]
  const [hello] = (await once(socket, 'data')) as [Buffer]
  client.destroy()
  socket.destroy()
  server.close()
  return hello
}
