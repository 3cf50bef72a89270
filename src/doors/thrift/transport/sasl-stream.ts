import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'

const LENGTH_BYTES = 4
/** Thrift's clients refuse frames of more than 16,384,000 bytes. */
const FRAME_BYTES_MAX = 1024 * 1024
/** A piece of no more bytes is copied behind its length: that costs less than a second write. */
const COPIED_BYTES_MAX = 16 * 1024

/**
 * What a client of SASL sends and reads, without the frames around it: each piece of the stream is behind its length, an int32.
 * A frame need not be a message. Stands for the socket towards those that serve it, and hands on at once what either side says: two
 * streams of Node's between them would take a quarter of a small call.
 */
export class SaslStream extends EventEmitter {
  readonly remoteAddress: string | undefined
  readonly remotePort: number | undefined
  destroyed = false
  readonly #socket: Socket
  /** Bytes of a length that have come. */
  readonly #length = Buffer.alloc(LENGTH_BYTES)
  #lengthBytes = 0
  /** Bytes of the present frame that are still to come. */
  #frameLeft = 0
  /** Came while nobody took them. */
  readonly #waiting: Buffer[] = []
  #isPaused = false
  #end: 'to come' | 'due' | 'told' = 'to come'

  /** `rest`: bytes of the client that have come already. */
  constructor(socket: Socket, rest: Buffer) {
    super()
    this.#socket = socket
    this.remoteAddress = socket.remoteAddress
    this.remotePort = socket.remotePort
    this.#take(rest)
    socket.on('data', (chunk: Buffer) => this.#take(chunk))
    socket.on('end', () => {
      this.#end = 'due'
      this.#handOn()
    })
    socket.on('drain', () => this.emit('drain'))
    socket.on('close', () => {
      this.destroyed = true
      this.emit('close')
    })
    // As a stream does: what has come is handed on to the first who listens.
    this.on('newListener', (event) => {
      if (event === 'data' || event === 'end') process.nextTick(() => this.#handOn())
    })
  }

  get bytesRead(): number {
    return this.#socket.bytesRead
  }

  get bytesWritten(): number {
    return this.#socket.bytesWritten
  }

  get writableLength(): number {
    return this.#socket.writableLength
  }

  get writable(): boolean {
    return this.#socket.writable
  }

  get writableEnded(): boolean {
    return this.#socket.writableEnded
  }

  /** How much of a large piece the system has taken: see takenBytes. */
  get _handle(): unknown {
    return (this.#socket as Socket & { readonly _handle?: unknown })._handle
  }

  cork(): void {
    this.#socket.cork()
  }

  uncork(): void {
    this.#socket.uncork()
  }

  end(done?: () => void): void {
    this.#socket.end(done)
  }

  destroySoon(): void {
    this.#socket.destroySoon()
  }

  isPaused(): boolean {
    return this.#isPaused
  }

  pause(): void {
    this.#isPaused = true
    this.#socket.pause()
  }

  resume(): void {
    this.#isPaused = false
    this.#handOn()
    if (!this.#isPaused) this.#socket.resume()
  }

  destroy(): void {
    this.destroyed = true
    this.#socket.destroy()
  }

  #take(chunk: Buffer): void {
    for (let at = 0; at < chunk.length && !this.destroyed; ) {
      if (this.#frameLeft === 0) {
        this.#length[this.#lengthBytes++] = chunk[at++]!
        if (this.#lengthBytes < LENGTH_BYTES) continue
        this.#lengthBytes = 0
        this.#frameLeft = this.#length.readInt32BE(0)
        if (this.#frameLeft < 0) {
          this.destroy()
          return
        }
        continue
      }
      const end = Math.min(chunk.length, at + this.#frameLeft)
      this.#frameLeft -= end - at
      const piece = chunk.subarray(at, end)
      if (this.#waiting.length === 0 && this.#isTaken) this.emit('data', piece)
      else this.#waiting.push(piece)
      at = end
    }
  }

  get #isTaken(): boolean {
    return !this.#isPaused && this.listenerCount('data') > 0
  }

  #handOn(): void {
    while (this.#waiting.length > 0 && this.#isTaken && !this.destroyed)
      this.emit('data', this.#waiting.shift()!)
    if (this.#waiting.length > 0 || this.#end !== 'due' || this.listenerCount('end') === 0) return
    this.#end = 'told'
    this.emit('end')
  }

  /** As a socket does. */
  write(bytes: Buffer, done?: (error?: Error | null) => void): boolean {
    const socket = this.#socket
    if (bytes.length <= COPIED_BYTES_MAX) {
      const framed = Buffer.allocUnsafe(LENGTH_BYTES + bytes.length)
      framed.writeInt32BE(bytes.length, 0)
      framed.set(bytes, LENGTH_BYTES)
      return socket.write(framed, done)
    }
    socket.cork()
    let goesOn = true
    for (let at = 0; at < bytes.length; at += FRAME_BYTES_MAX) {
      const frame = bytes.subarray(at, at + FRAME_BYTES_MAX)
      const length = Buffer.alloc(LENGTH_BYTES)
      length.writeInt32BE(frame.length)
      socket.write(length)
      goesOn = at + FRAME_BYTES_MAX >= bytes.length ? socket.write(frame, done) : socket.write(frame)
    }
    socket.uncork()
    return goesOn
  }
}
