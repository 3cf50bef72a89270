import type { Socket } from 'node:net'
import { EMPTY } from '../../../src/model/bytes.ts'
import { LOOP_TURNS } from '../../../src/model/loop-turns.ts'
import type { FrameHandler } from '../../../src/wire/rpc/frame-reader.ts'
import { PIECE_BYTES, WrappedReader, wrapInPieces } from '../../../src/wire/rpc/wrapped-frames.ts'
import { SaslFailure, type SaslLayer } from '../../../src/wire/sasl/sasl.ts'

/**
 * The traffic of a connection whose login has agreed on integrity or privacy. Bytes are protected piece by piece as the socket takes them, so that a
 * large request needs little more memory than its own. A near server takes them as fast as they come, in one turn of the event loop: larger requests
 * give way to other work. An answer's message is unprotected at once, since its checksum is over all of it.
 */
export class ProtectedTraffic {
  readonly #layer: SaslLayer
  readonly #socket: Socket
  readonly #reader: WrappedReader
  readonly #onStrange: (buffer: Buffer, start: number, end: number) => void
  readonly #onTurn: () => void
  /** False while the request waits for its next turn. */
  #hasTurn = true
  #pieces: ReturnType<typeof wrapInPieces> | undefined
  #waiting: Buffer = EMPTY

  /** `bytesMax`: of a frame. `on.strange` gets a message that is not protected, or not rightly, before `take` throws. `on.turn` must call `flush`. */
  constructor(
    layer: SaslLayer,
    socket: Socket,
    bytesMax: number,
    on: {
      readonly frame: FrameHandler
      readonly strange: (buffer: Buffer, start: number, end: number) => void
      readonly turn: () => void
    },
  ) {
    this.#layer = layer
    this.#socket = socket
    this.#reader = new WrappedReader(layer, bytesMax, on.frame)
    this.#onStrange = on.strange
    this.#onTurn = on.turn
  }

  /** The bytes of the request that is being sent. */
  get waitingBytes(): number {
    return this.#waiting.length
  }

  /** Takes a protected message, and gives its memory back. Throws SaslFailure, and FrameTooLarge. */
  take(buffer: Buffer, start: number, end: number, release: (() => void) | undefined): void {
    try {
      this.#reader.take(buffer.subarray(start, end))
    } catch (error) {
      if (error instanceof SaslFailure) this.#onStrange(buffer, start, end)
      throw error
    }
    release?.()
  }

  /** Begins to send bytes. Call it only after `flush` has returned true. Throws SaslFailure. */
  send(bytes: Buffer): void {
    this.#waiting = bytes
    this.#pieces = wrapInPieces(this.#layer, bytes)
    this.flush()
  }

  /** Sends as much as the socket takes. True where nothing waits any more; otherwise call it again when the socket has drained, and in `on.turn`. Throws SaslFailure. */
  flush(): boolean {
    while (this.#pieces !== undefined && this.#hasTurn && !this.#socket.writableNeedDrain) {
      const { value: piece } = this.#pieces.next()
      if (piece === undefined) {
        this.#pieces = undefined
        this.#waiting = EMPTY
        continue
      }
      this.#socket.cork()
      this.#socket.write(piece.length)
      this.#socket.write(piece.token)
      this.#socket.uncork()
      if (this.#waiting.length > PIECE_BYTES) this.#giveWay()
    }
    return this.#pieces === undefined
  }

  /** Waits for a turn where this round of the event loop has had enough of such work. */
  #giveWay(): void {
    LOOP_TURNS.begin()
    if (!LOOP_TURNS.isUsedUp) return
    this.#hasTurn = false
    void LOOP_TURNS.next().then(() => {
      this.#hasTurn = true
      this.#onTurn()
    })
  }
}
