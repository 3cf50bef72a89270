import type { Socket } from 'node:net'
import type { MemoryBudget } from '../../../gateway/limits/memory-budget.ts'
import type { SaslLayer } from '../../../wire/sasl/sasl.ts'
import { hasOwnSlab } from '../../../wire/thrift/output.ts'
import { joinAdjacent } from './join-adjacent.ts'
import { type ProtectedFrame, protectedFrame } from './protected-frame.ts'
import { FRAME_BYTES_MAX, saslFrames } from './sasl-frames.ts'

/** Length of the waiting replies, in bytes, at which they are sent before the turn of the event loop ends. */
const TOGETHER_BYTES_MAX = 64 * 1024

interface ReplyWriterParts {
  readonly memory: MemoryBudget
  readonly isBehindSasl: boolean
  /** Protects the replies; undefined: they go as they are. */
  readonly layer: SaslLayer | undefined
  /** Takes back the memory of a sent reply that had a slab of its own. */
  readonly giveBack: (reply: Buffer) => void
  /** Called once a reply of several protected frames has been sent, or its connection has ended. */
  readonly sentInTurns: () => void
}

/** Sends the replies of one connection: those of one turn of the event loop together. */
export class ReplyWriter {
  readonly #socket: Socket
  readonly #parts: ReplyWriterParts
  #replies: Buffer[] = []
  #bytes = 0
  #flushIsDue = false
  #isInTurns = false

  constructor(socket: Socket, parts: ReplyWriterParts) {
    this.#socket = socket
    this.#parts = parts
  }

  /** True while a reply of several protected frames is being sent. Replies that are added meanwhile follow it. */
  get isInTurns(): boolean {
    return this.#isInTurns
  }

  add(reply: Buffer): void {
    this.#replies.push(reply)
    this.#bytes += reply.length
    if (this.#bytes >= TOGETHER_BYTES_MAX) this.flush()
  }

  flush(): void {
    if (this.#replies.length === 0 || this.#isInTurns) return
    const pieces = joinAdjacent(this.#replies)
    this.#replies = []
    this.#bytes = 0
    const socket = this.#socket
    if (!socket.writable) return
    if (pieces.length > 1) socket.cork()
    // A reply that is sent in turns is the last: it was flushed as soon as it was added.
    for (const piece of pieces) this.#write(piece)
    if (pieces.length > 1) socket.uncork()
  }

  #write(piece: Buffer): void {
    const { layer } = this.#parts
    if (layer === undefined) {
      if (hasOwnSlab(piece)) this.#writeLarge(piece)
      else this.#socket.write(piece)
    } else if (piece.length <= FRAME_BYTES_MAX) this.#writeProtected(piece, layer)
    else void this.#writeInTurns(piece, layer)
  }

  /** Sends replies in a protected frame. */
  #writeProtected(piece: Buffer, layer: SaslLayer): void {
    const { memory, giveBack } = this.#parts
    const isLarge = hasOwnSlab(piece)
    const frame = this.#protected(piece, layer)
    if (frame === undefined) return
    if (isLarge) giveBack(piece)
    // The memory of a short reply is not counted without protection either.
    const bytes = isLarge ? frame.token.length : 0
    memory.noteStanding(bytes)
    this.#writeFrame(frame, () => memory.giveStanding(bytes))
  }

  /**
   * Sends a long reply in several protected frames. Each is made in a turn of its own, as encryption takes milliseconds for each MB, and once
   * the client has taken the one before, so that a slow client holds the memory of the reply and of one frame.
   */
  async #writeInTurns(piece: Buffer, layer: SaslLayer): Promise<void> {
    const { memory, giveBack, sentInTurns } = this.#parts
    this.#isInTurns = true
    memory.noteStanding(piece.length)
    for (let at = 0; at < piece.length; at += FRAME_BYTES_MAX) {
      const frame = this.#protected(piece.subarray(at, at + FRAME_BYTES_MAX), layer)
      if (frame === undefined) break
      const { length } = frame.token
      memory.noteStanding(length)
      await new Promise<void>((resolve) => this.#writeFrame(frame, resolve))
      memory.giveStanding(length)
      await new Promise(setImmediate)
    }
    memory.giveStanding(piece.length)
    giveBack(piece)
    this.#isInTurns = false
    this.flush()
    sentInTurns()
  }

  /** Undefined where the connection has ended, and with it the layer. A reply that cannot be protected ends it. */
  #protected(part: Buffer, layer: SaslLayer): ProtectedFrame | undefined {
    const socket = this.#socket
    if (socket.destroyed) return undefined
    try {
      return protectedFrame(part, layer)
    } catch (error) {
      socket.destroy(error as Error)
      return undefined
    }
  }

  /** `sent`: called once the client has taken the frame, or the connection has ended. */
  #writeFrame({ length, token }: ProtectedFrame, sent: () => void): void {
    const socket = this.#socket
    socket.cork()
    socket.write(length)
    socket.write(token, sent)
    socket.uncork()
  }

  /** Sends a large reply, whose memory counts until the client has taken it. */
  #writeLarge(piece: Buffer): void {
    const { memory, isBehindSasl, giveBack } = this.#parts
    memory.noteStanding(piece.length)
    const parts = isBehindSasl ? saslFrames(piece) : [piece]
    const last = parts.pop()!
    for (const part of parts) this.#socket.write(part)
    this.#socket.write(last, () => {
      memory.giveStanding(piece.length)
      giveBack(piece)
    })
  }

  /** Sends the waiting replies at the end of the turn, so that they do not wait for a longer call. */
  flushSoon(): void {
    if (this.#flushIsDue || this.#replies.length === 0) return
    this.#flushIsDue = true
    setImmediate(() => {
      this.#flushIsDue = false
      this.flush()
    })
  }
}
