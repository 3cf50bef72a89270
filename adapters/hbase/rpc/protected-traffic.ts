import type { Socket } from 'node:net'
import { EMPTY, writeInt32 } from '../../../src/model/bytes.ts'
import { LOOP_TURNS } from '../../../src/model/loop-turns.ts'
import type { FrameHandler } from '../../../src/wire/rpc/frame-reader.ts'
import {
  cutInPieces,
  LENGTH_BYTES,
  PIECE_BYTES,
  WrappedReader,
} from '../../../src/wire/rpc/wrapped-frames.ts'
import { LayerLine } from '../../../src/wire/sasl/layer-line.ts'
import { SaslFailure, type SaslLayer } from '../../../src/wire/sasl/sasl.ts'

/** The most bytes that another thread protects at once. */
const THREAD_PIECE_BYTES = 256 * 1024

export interface TrafficEvents {
  readonly frame: FrameHandler
  /** Gets a message that is not protected, or not rightly, before its error goes to the caller. */
  readonly strange: (buffer: Buffer, start: number, end: number) => void
  /** Must call `flush`. */
  readonly turn: () => void
  /** Runs the work for a message that was late, and ends the connection where it throws SaslFailure or FrameTooLarge. */
  readonly read: (work: () => void) => void
}

interface Token {
  readonly buffer: Buffer
  readonly start: number
  readonly end: number
  readonly release: (() => void) | undefined
}

/**
 * The traffic of a connection whose login has agreed on integrity or privacy. Bytes are protected piece by piece as the socket takes them, so that a
 * large request needs little more memory than its own. A near server takes them as fast as they come, in one turn of the event loop: larger requests
 * give way to other work. A large answer's message, whose checksum is over all of it, is read while other work goes on; its socket then waits.
 */
export class ProtectedTraffic {
  readonly #line: LayerLine
  readonly #socket: Socket
  readonly #reader: WrappedReader
  readonly #events: TrafficEvents
  readonly #pieceBytes: number
  /** Tokens behind a large one that is being read: those of one read of the socket, which is paused. Undefined: none is being read. */
  #behind: Token[] | undefined
  /** False while the request waits for its next turn. */
  #hasTurn = true
  #isWrapping = false
  #failure: unknown
  #pieces: Generator<Buffer, void> | undefined
  #waiting: Buffer = EMPTY
  #isClosed = false

  /** `bytesMax`: of a frame. */
  constructor(layer: SaslLayer, socket: Socket, bytesMax: number, events: TrafficEvents) {
    this.#line = new LayerLine(layer)
    this.#socket = socket
    this.#reader = new WrappedReader(layer, bytesMax, events.frame)
    this.#events = events
    const { bytesMin = Number.POSITIVE_INFINITY } = layer.large ?? {}
    this.#pieceBytes = bytesMin <= THREAD_PIECE_BYTES ? THREAD_PIECE_BYTES : PIECE_BYTES
  }

  /** The bytes of the request that is being sent. */
  get waitingBytes(): number {
    return this.#waiting.length
  }

  /** Takes a protected message, and gives its memory back once it is read. Throws SaslFailure, and FrameTooLarge. */
  take(buffer: Buffer, start: number, end: number, release: (() => void) | undefined): void {
    const token = { buffer, start, end, release }
    if (this.#behind === undefined) this.#take(token)
    else this.#behind.push(token)
  }

  #take(token: Token): void {
    const { buffer, start, end, release } = token
    let message: Buffer | Promise<Buffer>
    try {
      message = this.#line.unwrap(buffer.subarray(start, end))
    } catch (error) {
      throw this.#lookAt(error, token)
    }
    if (message instanceof Promise) {
      void this.#takeLate(token, message)
      return
    }
    this.#reader.read(message)
    release?.()
  }

  async #takeLate(token: Token, unwrapped: Promise<Buffer>): Promise<void> {
    this.#behind = []
    this.#socket.pause()
    let message: Buffer | undefined
    let failure: unknown
    try {
      message = await unwrapped
    } catch (error) {
      failure = error
    }
    if (this.#isClosed) return
    const behind = this.#behind
    this.#behind = undefined
    this.#events.read(() => {
      if (message === undefined) throw this.#lookAt(failure, token)
      this.#reader.read(message)
      token.release?.()
      for (const next of behind) this.take(next.buffer, next.start, next.end, next.release)
    })
    if (this.#behind === undefined) this.#socket.resume()
  }

  #lookAt(error: unknown, { buffer, start, end }: Token): unknown {
    if (error instanceof SaslFailure) this.#events.strange(buffer, start, end)
    return error
  }

  /** Begins to send bytes, which must stay as they are. Call it only after `flush` has returned true. Throws SaslFailure. */
  send(bytes: Buffer): void {
    this.#waiting = bytes
    this.#pieces = cutInPieces(this.#line.layer, bytes, this.#pieceBytes)
    this.flush()
  }

  /** Sends as much as the socket takes. True where nothing waits any more; otherwise call it again when the socket has drained, and in `turn`. Throws SaslFailure. */
  flush(): boolean {
    if (this.#failure !== undefined) throw this.#failure
    while (this.#mayWrap) {
      const { value: piece } = this.#pieces!.next()
      if (piece === undefined) {
        this.#pieces = undefined
        this.#waiting = EMPTY
        break
      }
      const token = this.#line.wrap(piece)
      if (token instanceof Promise) void this.#writeLate(token)
      else {
        this.#write(token)
        if (this.#waiting.length > PIECE_BYTES) this.#giveWay()
      }
    }
    return this.#pieces === undefined
  }

  get #mayWrap(): boolean {
    return this.#pieces !== undefined && this.#hasTurn && !this.#isWrapping && !this.#socket.writableNeedDrain
  }

  async #writeLate(wrapped: Promise<Buffer>): Promise<void> {
    this.#isWrapping = true
    try {
      const token = await wrapped
      if (!this.#isClosed) this.#write(token)
    } catch (error) {
      this.#failure = error
    }
    this.#isWrapping = false
    if (!this.#isClosed) this.#events.turn()
  }

  #write(token: Buffer): void {
    const length = Buffer.allocUnsafe(LENGTH_BYTES)
    writeInt32(length, 0, token.length)
    const socket = this.#socket
    socket.cork()
    socket.write(length)
    socket.write(token)
    socket.uncork()
  }

  /** Waits for a turn where this round of the event loop has had enough of such work. */
  #giveWay(): void {
    LOOP_TURNS.begin()
    if (!LOOP_TURNS.isUsedUp) return
    this.#hasTurn = false
    void LOOP_TURNS.next().then(() => {
      this.#hasTurn = true
      this.#events.turn()
    })
  }

  /** The connection has ended: nothing more is read or sent. */
  close(): void {
    this.#isClosed = true
  }
}
