/** A small request and its answer. The objects that Node makes of each request are made only for an answer that needs them. */

import { type IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { HttpRequest } from '../connections/http-request.ts'
import type { HttpExchange } from './http-exchange.ts'
import { closed, endsConnection } from './pipelined-answers.ts'
import type { SmallRequest } from './small-request.ts'
import { sendWhole } from './whole-answer.ts'

/** The connection of a request, while its answer is due. */
export interface AskedConnection {
  readonly socket: Socket
  /** True where the connection ends behind this request: the client has ended its side, or the door closes. */
  readonly isLastRequest: boolean
  /** Called once the answer is in the socket. `goesOn`: false where the connection must end behind it. */
  answered(goesOn: boolean): void
}

class SmallHead implements HttpRequest {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly socket: Socket

  constructor({ method, url, headers }: SmallRequest, socket: Socket) {
    this.method = method
    this.url = url
    this.headers = headers
    this.socket = socket
  }

  get httpVersionMinor(): number {
    return 1
  }

  get headersDistinct(): NodeJS.Dict<string[]> {
    return Object.fromEntries(Object.entries(this.headers).map(([name, value]) => [name, [String(value)]]))
  }
}

export class SmallExchange implements HttpExchange {
  readonly request: HttpRequest
  readonly body: Buffer
  readonly #connection: AskedConnection
  #outgoing: ServerResponse | undefined

  constructor(small: SmallRequest, connection: AskedConnection) {
    this.request = new SmallHead(small, connection.socket)
    this.body = small.body
    this.#connection = connection
  }

  get stream(): undefined {
    return undefined
  }

  get unsentBytes(): number {
    return this.request.socket.writableLength
  }

  get outgoing(): ServerResponse {
    this.#outgoing ??= this.#newOutgoing()
    return this.#outgoing
  }

  sendWhole(status: number, head: string, body: string): boolean {
    if (this.#outgoing !== undefined) return sendWhole(this.#outgoing, status, head, body)
    const { socket } = this.request
    if (!socket.writable || socket.writableLength > 0 || this.#connection.isLastRequest) return false
    socket.write(head + body, 'latin1')
    this.#connection.answered(true)
    return true
  }

  whenSent(act: () => void): void {
    const { socket } = this.request
    const outgoing = this.#outgoing
    if (outgoing !== undefined) {
      if (outgoing.writableFinished || outgoing.destroyed) act()
      else outgoing.once('close', act)
    } else if (socket.destroyed || socket.writableLength === 0) act()
    else if (socket.writableEnded) socket.once('close', act)
    else socket.write('', act)
  }

  #newOutgoing(): ServerResponse {
    const { method, url, headers, socket } = this.request
    const incoming = new IncomingMessage(socket)
    Object.assign(incoming, { method, url, headers, httpVersion: '1.1' })
    Object.assign(incoming, { httpVersionMajor: 1, httpVersionMinor: 1, complete: true })
    incoming.push(null)
    const outgoing = new ServerResponse(incoming)
    outgoing.shouldKeepAlive = !this.#connection.isLastRequest
    outgoing.assignSocket(socket)
    if (socket.destroyed) {
      outgoing.destroy()
      closed(outgoing)
    }
    const goOn = (): void => void outgoing.emit('drain')
    socket.on('drain', goOn)
    outgoing.once('finish', () => {
      socket.off('drain', goOn)
      outgoing.detachSocket(socket)
      closed(outgoing)
      this.#connection.answered(outgoing.shouldKeepAlive && !endsConnection(outgoing))
    })
    return outgoing
  }
}
