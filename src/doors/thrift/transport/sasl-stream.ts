import type { Socket } from 'node:net'
import { Readable } from 'node:stream'

const LENGTH_BYTES = 4
/** Thrift's clients refuse frames of more than 16,384,000 bytes. */
const FRAME_BYTES_MAX = 1024 * 1024
/** A piece of no more bytes is copied behind its length: that costs less than a second write. */
const COPIED_BYTES_MAX = 16 * 1024

/**
 * What a client of SASL sends and reads, without the frames around it: each piece of the stream is behind its length, an int32.
 * A frame need not be a message. Stands for the socket towards those that serve it: what they write goes to the socket at once, as a
 * stream of its own between them would take a sixth of a small call.
 */
export class SaslStream extends Readable {
  readonly remoteAddress: string | undefined
  readonly remotePort: number | undefined
  readonly #socket: Socket
  /** Bytes of a length that have come. */
  readonly #length = Buffer.alloc(LENGTH_BYTES)
  #lengthBytes = 0
  /** Bytes of the present frame that are still to come. */
  #frameLeft = 0

  /** `rest`: bytes of the client that have come already. */
  constructor(socket: Socket, rest: Buffer) {
    // Who has ended his side still reads his answers.
    super({ autoDestroy: false })
    this.#socket = socket
    this.remoteAddress = socket.remoteAddress
    this.remotePort = socket.remotePort
    this.#take(rest)
    socket.on('data', (chunk: Buffer) => this.#take(chunk))
    socket.on('end', () => this.push(null))
    socket.on('drain', () => this.emit('drain'))
    socket.on('close', () => this.destroy())
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
    return this.#socket.writable && !this.destroyed
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

  #take(chunk: Buffer): void {
    let goesOn = true
    for (let at = 0; at < chunk.length; ) {
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
      goesOn = this.push(chunk.subarray(at, end))
      at = end
    }
    if (!goesOn) this.#socket.pause()
  }

  override _read(): void {
    this.#socket.resume()
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

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#socket.destroy()
    done(error)
  }
}
