/**
 * Stands between the sockets of an HTTP door and Node's HTTP server, whose streams and events take more time than a small read of the store. It
 * serves the small requests itself. A connection that sends anything else goes to Node's server for the rest of its life, from the first
 * byte of that request on; there is no request under way then.
 */

import type { Socket } from 'node:net'
import { dropBytes, leaveBytes, takeBytes } from '../connections/direct-reading.ts'
import type { TrustedProxies } from '../identity/proxies/trusted-proxies.ts'
import type { HttpExchange } from './http-exchange.ts'
import { type AskedConnection, SmallExchange } from './small-exchange.ts'
import { SmallRequestReader } from './small-request.ts'

/** Answers a request, at once or later. Does not throw. */
export type AnswerExchange = (exchange: HttpExchange) => void

export interface SmallRequestsParts {
  readonly answer: AnswerExchange
  /** Serves a connection by Node's server. */
  readonly leave: (socket: Socket) => void
  /** Refuses a connection without a whole request in `firstMs`. */
  readonly refuseLate: (socket: Socket) => void
  readonly headBytesMax: number
  /** Time for the first request. */
  readonly firstMs: number
  /** Time without a byte, in a request or between two, after which a connection ends. */
  readonly idleMs: number
  readonly trustedProxies: TrustedProxies | undefined
}

export class SmallRequests {
  readonly #parts: SmallRequestsParts
  readonly #reader: SmallRequestReader
  readonly #connections = new Set<SmallConnection>()
  #isClosing = false

  constructor(parts: SmallRequestsParts) {
    this.#parts = parts
    this.#reader = new SmallRequestReader(parts.headBytesMax)
  }

  open(socket: Socket): void {
    const connection = new SmallConnection(socket, this.#reader, this.#parts, {
      left: () => this.#connections.delete(connection),
      isClosing: () => this.#isClosing,
    })
    this.#connections.add(connection)
  }

  /** Ends the idle connections at once, and each of the others behind its answer. */
  close(): void {
    this.#isClosing = true
    for (const connection of this.#connections) connection.endIfIdle()
  }
}

interface Owner {
  /** The connection is closed, or Node's. */
  readonly left: () => void
  readonly isClosing: () => boolean
}

class SmallConnection implements AskedConnection {
  readonly socket: Socket
  readonly #reader: SmallRequestReader
  readonly #parts: SmallRequestsParts
  readonly #owner: Owner
  /** The request whose answer is due. */
  #exchange: SmallExchange | undefined
  #isFirst = true

  constructor(socket: Socket, reader: SmallRequestReader, parts: SmallRequestsParts, owner: Owner) {
    this.socket = socket
    this.#reader = reader
    this.#parts = parts
    this.#owner = owner
    takeBytes(socket, this.#take)
    socket.on('end', this.#ended)
    socket.on('timeout', this.#timedOut)
    socket.once('close', owner.left)
    socket.setTimeout(Math.min(parts.firstMs, parts.idleMs))
  }

  get isLastRequest(): boolean {
    return this.socket.readableEnded || this.#owner.isClosing()
  }

  endIfIdle(): void {
    if (this.#exchange === undefined) this.socket.destroySoon()
  }

  readonly #take = (bytes: Buffer): void => {
    const socket = this.socket
    if (socket.writableEnded) return
    if (this.#exchange !== undefined) {
      this.#keep(bytes)
      return
    }
    const small = this.#reader.read(bytes)
    const exchange = small && new SmallExchange(small, this)
    if (exchange === undefined || this.#parts.trustedProxies?.note(exchange.request) !== undefined) {
      this.#leave(bytes)
      return
    }
    if (this.#isFirst) socket.setTimeout(this.#parts.idleMs)
    this.#isFirst = false
    this.#exchange = exchange
    // A request may depend on the one before it: it is read once that has its answer.
    if (small?.rest !== undefined) this.#keep(small.rest)
    this.#parts.answer(exchange)
  }

  /** Keeps bytes until the answer that is due has left. They wait in the stream, which does not end before they are read. */
  #keep(bytes: Buffer): void {
    this.socket.pause()
    this.socket.unshift(bytes)
  }

  answered(goesOn: boolean): void {
    const socket = this.socket
    this.#exchange = undefined
    if (!goesOn || this.#owner.isClosing()) {
      socket.destroySoon()
      return
    }
    if (socket.isPaused()) socket.resume()
    else if (socket.readableEnded) socket.end()
  }

  readonly #ended = (): void => {
    if (this.#exchange === undefined) this.socket.end()
  }

  readonly #timedOut = (): void => {
    const { firstMs, idleMs, refuseLate } = this.#parts
    if (!this.#isFirst || firstMs >= idleMs) {
      this.socket.destroy()
      return
    }
    dropBytes(this.socket)
    refuseLate(this.socket)
  }

  #leave(bytes: Buffer): void {
    const socket = this.socket
    leaveBytes(socket)
    socket.off('end', this.#ended)
    socket.off('timeout', this.#timedOut)
    socket.off('close', this.#owner.left)
    socket.setTimeout(0)
    this.#owner.left()
    socket.pause()
    socket.unshift(bytes)
    this.#parts.leave(socket)
    socket.resume()
  }
}
