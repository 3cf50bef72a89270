import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'

const LENGTH_BYTES = 4
/** Thrift's clients refuse frames of more than 16,384,000 bytes. */
const FRAME_BYTES_MAX = 1024 * 1024
/** A piece of no more bytes is copied behind its length: that costs less than a second write. */
const COPIED_BYTES_MAX = 16 * 1024

/**
 * What a client of SASL sends and reads, without the frames around it: each piece of the stream is behind its length, an int32.
 * A frame need not be a message. Stands for the socket towards those that serve it.
 */
export class SaslStream extends Duplex {
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
    super({ allowHalfOpen: true })
    this.#socket = socket
    this.remoteAddress = socket.remoteAddress
    this.remotePort = socket.remotePort
    this.#take(rest)
    socket.on('data', (chunk: Buffer) => this.#take(chunk))
    socket.on('end', () => this.push(null))
    socket.on('close', () => this.destroy())
  }

  get bytesRead(): number {
    return this.#socket.bytesRead
  }

  /** As a socket has it: with `writableLength` it tells how much the client has taken. */
  get bytesWritten(): number {
    return this.#socket.bytesWritten - this.#socket.writableLength + this.writableLength
  }

  destroySoon(): void {
    if (this.writableFinished) this.destroy()
    else {
      this.once('finish', () => this.#socket.destroySoon())
      this.end()
    }
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

  override _write(chunk: Buffer, _: BufferEncoding, done: (error?: Error | null) => void): void {
    const socket = this.#socket
    if (chunk.length > 0 && chunk.length <= COPIED_BYTES_MAX) {
      const framed = Buffer.allocUnsafe(LENGTH_BYTES + chunk.length)
      framed.writeInt32BE(chunk.length, 0)
      framed.set(chunk, LENGTH_BYTES)
      socket.write(framed, done)
      return
    }
    socket.cork()
    for (let at = 0; at < chunk.length; at += FRAME_BYTES_MAX) {
      const frame = chunk.subarray(at, at + FRAME_BYTES_MAX)
      const length = Buffer.alloc(LENGTH_BYTES)
      length.writeInt32BE(frame.length)
      socket.write(length)
      if (at + FRAME_BYTES_MAX >= chunk.length) socket.write(frame, done)
      else socket.write(frame)
    }
    if (chunk.length === 0) done()
    socket.uncork()
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#socket.end(done)
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#socket.destroy()
    done(error)
  }
}
