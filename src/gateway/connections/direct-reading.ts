/**
 * How bytes arrive at the doors whose protocols are our own. A client's bytes go to one taker at a time: to the part that finds the
 * dialect, then to a login, then to the connection.
 *
 * Node gives the bytes of a socket to a stream, whose buffers and events take a third of the time of a small call. A socket that is read
 * directly has them in one buffer of the thread (the option `onread` of `net.Socket`), and hands them to the taker as long as the stream has
 * nothing to do: it is not paused, and holds no earlier bytes. Otherwise, and for TLS, they go through the stream as always. So pauses, errors
 * and the `end` of a client that has sent its last byte are the stream's own in either case.
 */

import { type OnReadOpts, type Server, Socket, type SocketConstructorOpts } from 'node:net'
import { Readable } from 'node:stream'
import { ConnectionOrigin } from './connection-origin.ts'

/** Takes bytes, which stay valid. */
export type TakeBytes = (bytes: Buffer) => void

/** Node reads at most so many bytes at a time, as it does for a stream. */
const READ_BYTES = 64 * 1024
/** All sockets of the thread are read into it, one after the other: a taker gets a copy. */
const readBuffer: Buffer = Buffer.alloc(READ_BYTES)
/**
 * Copies of small pieces share so much memory, which each of them holds as long as it lives: that of an open scanner's first row,
 * too. Node's own pool has 64 KB from Node 26 on.
 */
const SLAB_BYTES = 2048
let slab: Buffer = Buffer.allocUnsafeSlow(SLAB_BYTES)
let slabUsed = 0

function copyOfRead(length: number): Buffer {
  const bytes = length > SLAB_BYTES / 2 ? Buffer.allocUnsafeSlow(length) : partOfSlab(length)
  readBuffer.copy(bytes, 0, 0, length)
  return bytes
}

function partOfSlab(length: number): Buffer {
  if (slabUsed + length > SLAB_BYTES) {
    slab = Buffer.allocUnsafeSlow(SLAB_BYTES)
    slabUsed = 0
  }
  const start = slabUsed
  slabUsed += length
  return slab.subarray(start, slabUsed)
}

/** The parts of an accepted socket that Node does not document. They are the same in Node 20 to 26. */
interface Accepted {
  readonly _handle?: { readonly useUserBuffer?: unknown } | null
  readonly _server?: Server | null
}

class DirectSocket extends Socket {
  /** Undefined where all bytes go to the stream. */
  taker: TakeBytes | undefined

  constructor({ _handle: handle }: Accepted, allowHalfOpen: boolean) {
    // A handler of a socket that is still under construction would be called before `this` is there.
    const onread: OnReadOpts = { buffer: readBuffer, callback: (length) => this.#arrived(length) }
    super({ handle, allowHalfOpen, readable: true, writable: true, onread } as SocketConstructorOpts)
  }

  /** Returns false where the system shall be asked for no more bytes until the stream wants some. */
  #arrived(length: number): boolean {
    const bytes = copyOfRead(length)
    if (this.taker === undefined || this.readableFlowing !== true || this.readableLength > 0)
      return this.push(bytes)
    this.taker(bytes)
    return true
  }

  /** Unlike the one of a socket with `onread`, reads on until the stream is full: a client that ends its side is noticed. */
  override pause(): this {
    Readable.prototype.pause.call(this)
    return this
  }
}

/** By the accepted socket that each replaces. */
const directSockets: WeakMap<Socket, DirectSocket> = new WeakMap()

/**
 * Returns a socket of the same connection that is read directly; `accepted` is then of no use any more. Returns `accepted` itself where it is encrypted, where
 * bytes of it have been read, and where this Node has no way to it.
 */
export function readDirectly(accepted: Socket): Socket {
  const { _handle: handle, _server: server } = accepted as unknown as Accepted
  const isPlain = !ConnectionOrigin.of(accepted).isEncrypted
  if (handle?.useUserBuffer === undefined || !isPlain || accepted.bytesRead > 0) return accepted
  const socket = new DirectSocket({ _handle: handle }, accepted.allowHalfOpen)
  // The server ends once all sockets that it has accepted are closed.
  Object.assign(socket, { _server: server, server })
  Object.assign(accepted, { _handle: null, _server: null })
  directSockets.set(accepted, socket)
  return socket
}

/** The socket of a connection that a server of Node's has accepted as `accepted`. */
export function presentSocket(accepted: Socket): Socket {
  return directSockets.get(accepted) ?? accepted
}

const listeners: WeakMap<Socket, TakeBytes> = new WeakMap()

/** Sends all further bytes of the socket to `take`, and none to the taker before it. */
export function takeBytes(socket: Socket, take: TakeBytes): void {
  leaveBytes(socket)
  listeners.set(socket, take)
  if (socket instanceof DirectSocket) socket.taker = take
  socket.on('data', take)
}

/** Takes and drops all further bytes. */
export function dropBytes(socket: Socket): void {
  takeBytes(socket, drop)
}

function drop(): void {
  // The door is done with the client, and reads on so that its last answer can reach it.
}

/** Leaves all further bytes in the socket's stream, for another reader. */
export function leaveBytes(socket: Socket): void {
  const before = listeners.get(socket)
  if (before !== undefined) socket.off('data', before)
  listeners.delete(socket)
  if (socket instanceof DirectSocket) socket.taker = undefined
}
