import type { Socket } from 'node:net'
import { takeBytes } from '../../../gateway/connections/direct-reading.ts'
import { type Deadlines, PeerClock } from '../../../gateway/connections/peer-clock.ts'
import type { ByteQueue } from '../../../gateway/requests/byte-queue.ts'
import { type Dialect, detectDialect } from './dialect.ts'
import type { Peer } from './peer.ts'
import { ProtectedQueue } from './protected-queue.ts'

/** The first bytes of a dialect are far fewer. */
const SHORT_BYTES = 64 * 1024

/** A connection whose dialect is not known yet: too few bytes have come. */
export class Stranger implements Peer {
  readonly #socket: Socket
  readonly #queue: ByteQueue
  readonly #known: (dialect: Dialect | undefined) => void
  readonly #clock: PeerClock

  /** `known`: called once, with undefined for bytes of no dialect. The queue then has all bytes that have come. */
  constructor(
    socket: Socket,
    queue: ByteQueue,
    nowMs: number,
    known: (dialect: Dialect | undefined) => void,
  ) {
    this.#socket = socket
    this.#queue = queue
    this.#clock = new PeerClock(nowMs)
    this.#known = known
    takeBytes(socket, this.#receive)
    socket.on('end', this.#end)
    if (queue instanceof ProtectedQueue) queue.ready = () => this.#goOn()
  }

  readonly #receive = (chunk: Buffer): void => {
    const queue = this.#queue
    try {
      // The first protected frame of a client that has logged in may be a long one.
      queue.push(chunk, queue.waiting > SHORT_BYTES)
    } catch (error) {
      this.#socket.destroy(error as Error)
      return
    }
    this.look()
  }

  /** Looks for the dialect in the bytes of the queue. */
  look(): void {
    const queue = this.#queue
    const dialect = detectDialect(queue.buffer.subarray(queue.start, queue.end))
    if (dialect === 'more') {
      queue.detach()
      if (queue instanceof ProtectedQueue && queue.isReading) this.#socket.pause()
      return
    }
    this.#socket.off('end', this.#end)
    this.#known(dialect)
  }

  /** A large frame has been read. */
  #goOn(): void {
    this.#socket.resume()
    this.look()
  }

  readonly #end = (): void => {
    this.#socket.destroy()
  }

  expire(nowMs: number, deadlines: Deadlines): void {
    const { waiting } = this.#queue
    const receives = waiting === 0 ? 'nothing' : waiting > SHORT_BYTES ? 'request' : 'headers'
    const activity = { isRunning: false, calls: 0, receives } as const
    if (this.#clock.lateness(nowMs, this.#socket, activity, deadlines) !== undefined) this.#socket.destroy()
  }

  close(): void {
    this.#socket.destroy()
  }
}
