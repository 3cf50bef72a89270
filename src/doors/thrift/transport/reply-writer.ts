import type { Socket } from 'node:net'
import type { MemoryBudget } from '../../../gateway/limits/memory-budget.ts'
import type { LayerLine } from '../../../wire/sasl/layer-line.ts'
import { hasOwnSlab } from '../../../wire/thrift/output.ts'
import { joinAdjacent } from './join-adjacent.ts'
import { protectedFrame } from './protected-frame.ts'
import { FRAME_BYTES_MAX, saslFrames } from './sasl-frames.ts'

/** Length of the waiting replies, in bytes, at which they are sent before the turn of the event loop ends. */
const TOGETHER_BYTES_MAX = 64 * 1024

interface ReplyWriterParts {
  readonly memory: MemoryBudget
  readonly isBehindSasl: boolean
  /** Protects the replies; undefined: they go as they are. */
  readonly line: LayerLine | undefined
  /** Takes back the memory of a sent reply that had a slab of its own. */
  readonly giveBack: (reply: Buffer) => void
  /** Called once a long reply has been protected, or its connection has ended. */
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

  /** True while a long reply is being protected. Replies that are added meanwhile follow it. */
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
    for (const [index, piece] of pieces.entries()) {
      this.#write(piece)
      if (!this.#isInTurns) continue
      this.#replies = pieces.slice(index + 1)
      this.#bytes = this.#replies.reduce((sum, { length }) => sum + length, 0)
      break
    }
    if (pieces.length > 1) socket.uncork()
  }

  #write(piece: Buffer): void {
    const { line } = this.#parts
    if (line === undefined) {
      if (hasOwnSlab(piece)) this.#writeLarge(piece)
      else this.#socket.write(piece)
    } else if (piece.length <= Math.min(FRAME_BYTES_MAX, line.atOnceBytesMax))
      this.#writeProtected(piece, line)
    else void this.#writeInTurns(piece, line)
  }

  /** Sends replies in a protected frame. */
  #writeProtected(piece: Buffer, { layer }: LayerLine): void {
    const { giveBack } = this.#parts
    const isLarge = hasOwnSlab(piece)
    let token: Buffer
    try {
      token = layer.wrap(piece)
    } catch (error) {
      this.#socket.destroy(error as Error)
      return
    }
    if (isLarge) giveBack(piece)
    // The memory of a short reply is not counted without protection either.
    this.#writeFrame(token, isLarge)
  }

  /**
   * Sends a long reply in protected frames. Other work goes on while one is made: encryption takes milliseconds for each MB. The next is made once
   * the client has taken the one before, so that a slow client holds the memory of the reply and of one frame.
   */
  async #writeInTurns(piece: Buffer, line: LayerLine): Promise<void> {
    const { memory, giveBack, sentInTurns } = this.#parts
    this.#isInTurns = true
    memory.noteStanding(piece.length)
    for (let at = 0; at < piece.length; at += FRAME_BYTES_MAX) {
      const token = await this.#protected(piece.subarray(at, at + FRAME_BYTES_MAX), line)
      if (token === undefined) break
      if (at + FRAME_BYTES_MAX >= piece.length) this.#writeFrame(token, true)
      else {
        await new Promise<void>((resolve) => this.#writeFrame(token, true, resolve))
        await new Promise(setImmediate)
      }
    }
    memory.giveStanding(piece.length)
    if (hasOwnSlab(piece)) giveBack(piece)
    this.#isInTurns = false
    this.flush()
    sentInTurns()
  }

  /** Undefined where the connection has ended, and with it the layer. A reply that cannot be protected ends it. */
  async #protected(part: Buffer, line: LayerLine): Promise<Buffer | undefined> {
    const socket = this.#socket
    if (socket.destroyed) return undefined
    try {
      const token = await line.wrap(part)
      return socket.destroyed ? undefined : token
    } catch (error) {
      socket.destroy(error as Error)
      return undefined
    }
  }

  /** `sent`: called once the client has taken the frame, or the connection has ended. The frame's memory counts until then where it `isCounted`. */
  #writeFrame(wrapped: Buffer, isCounted: boolean, sent?: () => void): void {
    const { memory } = this.#parts
    const bytes = isCounted ? wrapped.length : 0
    memory.noteStanding(bytes)
    const { length, token } = protectedFrame(wrapped)
    const socket = this.#socket
    socket.cork()
    socket.write(length)
    socket.write(token, () => {
      memory.giveStanding(bytes)
      sent?.()
    })
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
