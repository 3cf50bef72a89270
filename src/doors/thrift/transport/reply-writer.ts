import type { Socket } from 'node:net'
import type { MemoryBudget } from '../../../gateway/limits/memory-budget.ts'
import type { SaslLayer } from '../../../wire/sasl/sasl.ts'
import { hasOwnSlab } from '../../../wire/thrift/output.ts'
import { joinAdjacent } from './join-adjacent.ts'
import { protectedFrames } from './protected-frames.ts'
import { saslFrames } from './sasl-frames.ts'

/** Length of the waiting replies, in bytes, at which they are sent before the turn of the event loop ends. */
const TOGETHER_BYTES_MAX = 64 * 1024

interface ReplyWriterParts {
  readonly memory: MemoryBudget
  readonly isBehindSasl: boolean
  /** Protects the replies; undefined: they go as they are. */
  readonly layer: SaslLayer | undefined
  /** Takes back the memory of a sent reply that had a slab of its own. */
  readonly giveBack: (reply: Buffer) => void
}

/** Sends the replies of one connection: those of one turn of the event loop together. */
export class ReplyWriter {
  readonly #socket: Socket
  readonly #parts: ReplyWriterParts
  #replies: Buffer[] = []
  #bytes = 0
  #flushIsDue = false

  constructor(socket: Socket, parts: ReplyWriterParts) {
    this.#socket = socket
    this.#parts = parts
  }

  add(reply: Buffer): void {
    this.#replies.push(reply)
    this.#bytes += reply.length
    if (this.#bytes >= TOGETHER_BYTES_MAX) this.flush()
  }

  flush(): void {
    if (this.#replies.length === 0) return
    const pieces = joinAdjacent(this.#replies)
    this.#replies = []
    this.#bytes = 0
    const socket = this.#socket
    if (!socket.writable) return
    const { layer } = this.#parts
    if (pieces.length > 1) socket.cork()
    for (const piece of pieces) {
      if (layer !== undefined) this.#writeProtected(piece, layer)
      else if (hasOwnSlab(piece)) this.#writeLarge(piece)
      else socket.write(piece)
    }
    if (pieces.length > 1) socket.uncork()
  }

  /** Sends replies in protected frames, which have memory of their own: it counts until the client has taken them. */
  #writeProtected(piece: Buffer, layer: SaslLayer): void {
    const { memory, giveBack } = this.#parts
    const socket = this.#socket
    // An earlier piece may have ended the connection, and with it the layer.
    if (socket.destroyed) return
    try {
      const frames = protectedFrames(piece, layer)
      const last = frames.pop()
      if (last === undefined) return
      socket.cork()
      for (const frame of frames) socket.write(frame)
      if (hasOwnSlab(piece)) {
        giveBack(piece)
        const bytes = frames.reduce((sum, { length }) => sum + length, last.length)
        memory.noteStanding(bytes)
        socket.write(last, () => memory.giveStanding(bytes))
      } else socket.write(last)
      socket.uncork()
    } catch (error) {
      socket.destroy(error as Error)
    }
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
