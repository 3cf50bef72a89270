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
import { type SmallRequest, SmallRequestReader } from './small-request.ts'

/**
 * Many clients send a head and its body in two packets. Such a request is held until the second packet comes: for so long, and where the head and
 * the body have so many bytes together. Node's server takes those that are larger, slower or in more packets.
 */
const HELD_BYTES_MAX = 64 * 1024
const HELD_MS = 1000

/** Answers a request, at once or later. Does not throw. */
export type AnswerExchange = (exchange: HttpExchange) => void

export interface SmallRequestsParts {
  readonly answer: AnswerExchange
  /** Serves a connection by Node's server. */
  readonly leave: (socket: Socket) => void
  /** Refuses a connection without a whole request in `firstMs`. */
  readonly refuseLate: (socket: Socket) => void
  /** Refuses a request whose client has ended its side within the body. */
  readonly refuseCut: (socket: Socket) => void
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
  /** A request that lacks bytes of its body. */
  #held: Buffer | undefined
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
    if (this.#held !== undefined) this.#leave(this.#held)
    else if (this.#exchange === undefined) this.socket.destroySoon()
  }

  readonly #take = (bytes: Buffer): void => {
    if (this.socket.writableEnded) return
    if (this.#exchange !== undefined) this.#keep(bytes)
    else if (this.#held !== undefined) this.#readOn(this.#held, bytes)
    else {
      const small = this.#reader.read(bytes)
      if (typeof small !== 'number') this.#takeRequest(small, bytes)
      else if (bytes.length + small <= HELD_BYTES_MAX) this.#hold(bytes)
      else this.#leave(bytes)
    }
  }

  #hold(bytes: Buffer): void {
    this.#held = bytes
    // Node's server counts its limits anew.
    this.socket.setTimeout(Math.min(HELD_MS, this.#parts.idleMs / 4))
  }

  #readOn(held: Buffer, more: Buffer): void {
    const bytes = Buffer.concat([held, more])
    const small = this.#reader.read(bytes)
    if (typeof small === 'number') {
      this.#leave(bytes)
      return
    }
    this.#held = undefined
    this.socket.setTimeout(this.#parts.idleMs)
    this.#takeRequest(small, bytes)
  }

  #takeRequest(small: SmallRequest | undefined, bytes: Buffer): void {
    const exchange = small && new SmallExchange(small, this)
    if (exchange === undefined || this.#parts.trustedProxies?.note(exchange.request) !== undefined) {
      this.#leave(bytes)
      return
    }
    if (this.#isFirst) this.socket.setTimeout(this.#parts.idleMs)
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
    if (this.#held !== undefined) this.#refuse(this.#parts.refuseCut)
    else if (this.#exchange === undefined) this.socket.end()
  }

  readonly #timedOut = (): void => {
    const { firstMs, idleMs, refuseLate } = this.#parts
    if (this.#held !== undefined) {
      this.#leave(this.#held)
      return
    }
    if (!this.#isFirst || firstMs >= idleMs) {
      this.socket.destroy()
      return
    }
    this.#refuse(refuseLate)
  }

  #refuse(refuse: (socket: Socket) => void): void {
    this.#held = undefined
    dropBytes(this.socket)
    refuse(this.socket)
  }

  #leave(bytes: Buffer): void {
    const socket = this.socket
    this.#held = undefined
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
