/** Relays on loopback that log in for clients which know no Kerberos: to a server of REST by a cookie, to one of Thrift by SASL. */

import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { DEFAULT_SERVER_LIMITS, type TicketLogin } from '../../../adapters/servers/requests/server-options.ts'
import { SERVER_TIME } from '../../../adapters/servers/requests/server-time.ts'
import { SaslSession } from '../../../adapters/servers/thrift/sasl-session.ts'

const HEAD_END = '\r\n\r\n'

export class Relay {
  readonly #sockets = new Set<Socket>()
  readonly #server: Server

  private constructor(relay: (client: Socket, server: Socket) => void, port: number) {
    this.#server = createServer((client) => {
      const server = connect({ host: 'localhost', port, noDelay: true })
      for (const [socket, other] of [
        [client, server],
        [server, client],
      ] as const) {
        this.#sockets.add(socket)
        socket.on('error', () => socket.destroy())
        socket.once('close', () => {
          this.#sockets.delete(socket)
          other.end()
        })
      }
      relay(client, server)
    })
  }

  /** Puts the header into each request. */
  static async rest(port: number, header: string): Promise<Relay> {
    return Relay.#listening(port, (client, server) => {
      const requests = new RequestHeads(header)
      client.on('data', (bytes: Buffer) => server.write(requests.take(bytes)))
      server.on('data', (bytes: Buffer) => client.write(bytes))
    })
  }

  static async thrift(port: number, ticket: TicketLogin): Promise<Relay> {
    const endpoint = { host: 'localhost', port }
    const options = { endpoint, ticket, limits: DEFAULT_SERVER_LIMITS, time: SERVER_TIME }
    return Relay.#listening(port, (client, server) => {
      const session = SaslSession.begin(options, {
        send: (bytes) => server.write(bytes),
        received: (bytes) => client.write(bytes),
        failed: () => client.destroy(),
      })!
      client.on('data', (bytes: Buffer) => session.send(bytes))
      server.on('data', (bytes: Buffer) => session.receive(bytes))
      server.once('close', () => session.close())
    })
  }

  static async #listening(port: number, relay: (client: Socket, server: Socket) => void): Promise<Relay> {
    const opened = new Relay(relay, port)
    await once(opened.#server.listen(0, '127.0.0.1'), 'listening')
    return opened
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await once(this.#server.close(), 'close')
  }
}

/** Puts a header behind the head of each request of a connection; bodies go as they are. */
class RequestHeads {
  readonly #header: string
  #head = Buffer.alloc(0)
  #bodyBytes = 0

  constructor(header: string) {
    this.#header = header
  }

  /** The bytes for the server, without those of a head that has not come whole. */
  take(bytes: Buffer): Buffer {
    const parts: Buffer[] = []
    let rest = Buffer.concat([this.#head, bytes])
    this.#head = Buffer.alloc(0)
    while (rest.length > 0) {
      if (this.#bodyBytes > 0) {
        const body = rest.subarray(0, this.#bodyBytes)
        this.#bodyBytes -= body.length
        parts.push(body)
        rest = rest.subarray(body.length)
        continue
      }
      const end = rest.indexOf(HEAD_END)
      if (end < 0) {
        this.#head = rest
        break
      }
      const head = rest.toString('latin1', 0, end)
      this.#bodyBytes = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0)
      parts.push(Buffer.from(`${head}\r\n${this.#header}${HEAD_END}`, 'latin1'))
      rest = rest.subarray(end + HEAD_END.length)
    }
    return Buffer.concat(parts)
  }
}
