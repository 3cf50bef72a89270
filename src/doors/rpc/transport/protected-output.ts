/**
 * Answers to a client whose login has agreed on integrity or privacy: `length i32 | token`. The messages of the tokens, one after the other, are the
 * bytes that a client without protection gets. HBase: SaslWrapHandler.
 */

import type { Socket } from 'node:net'
import type { MemoryBudget } from '../../../gateway/limits/memory-budget.ts'
import { writeInt32 } from '../../../model/bytes.ts'
import type { LayerLine } from '../../../wire/sasl/layer-line.ts'
import { SaslFailure, type SaslLayer } from '../../../wire/sasl/sasl.ts'
import { AT_ONCE_BYTES_MAX, type ClientOutput } from '../answers/client-output.ts'
import { endWith } from '../answers/last-answer.ts'

const LENGTH_BYTES = 4
/** Bytes of one message, where the client states no buffer of its own. */
const MESSAGE_BYTES_MAX = 256 * 1024
/** Bytes of tokens that the socket holds. The rest of a large answer is wrapped once the client has read so much of it. */
const UNSENT_BYTES_MAX = AT_ONCE_BYTES_MAX
/** Bytes wrapped in one turn of the event loop: other connections have their turns between the parts of a large answer. */
const TURN_BYTES_MAX = AT_ONCE_BYTES_MAX

interface Waiting {
  readonly bytes: Uint8Array
  readonly sent: (() => void) | undefined
  readonly line: LayerLine
  /** The offset of the bytes that are not wrapped yet. */
  start: number
}

export interface ProtectedOutputEvents {
  /** All that waited is wrapped. */
  readonly drained: () => void
  /** The layer has failed: the connection must end. */
  readonly failed: (error: unknown) => void
}

export class ProtectedOutput implements ClientOutput {
  readonly encrypted = true
  readonly #socket: Socket
  readonly #memory: MemoryBudget
  readonly #events: ProtectedOutputEvents
  /** Protects all that is written from now on. */
  line: LayerLine
  readonly #waiting: Waiting[] = []
  #waitingBytes = 0
  #turnIsDue = false
  /** True while a large part of the first bytes that wait is being wrapped: their memory is in use. */
  #isWrapping = false
  #isDropped = false
  #isEnding = false

  constructor(socket: Socket, line: LayerLine, memory: MemoryBudget, events: ProtectedOutputEvents) {
    this.#socket = socket
    this.line = line
    this.#memory = memory
    this.#events = events
    socket.once('close', () => this.#drop())
  }

  get writable(): boolean {
    return !this.#isEnding && this.#socket.writable
  }

  get writableLength(): number {
    return this.#waitingBytes + this.#socket.writableLength
  }

  get atOnceBytesMax(): number {
    const { layer, atOnceBytesMax } = this.line
    return atOnceBytesMax < partBytesMax(layer) ? atOnceBytesMax : AT_ONCE_BYTES_MAX
  }

  write(bytes: Uint8Array, sent?: () => void): boolean {
    if (this.writable) {
      this.#waiting.push({ bytes, sent, line: this.line, start: 0 })
      this.#waitingBytes += bytes.length
      this.#wrap()
    } else sent?.()
    return this.#waiting.length === 0
  }

  /** Ends the connection once all that waits, then the last answer, if there is one, is sent. */
  end(answer?: Buffer): void {
    if (answer !== undefined) this.write(answer)
    this.#isEnding = true
    if (this.#waiting.length === 0) endWith(this.#socket)
  }

  #wrap(): void {
    let wrapped = 0
    while (!this.#isWrapping && this.#waiting.length > 0 && this.#socket.writableLength < UNSENT_BYTES_MAX) {
      if (wrapped >= TURN_BYTES_MAX) {
        this.#wrapInNextTurn()
        return
      }
      try {
        wrapped += this.#wrapNext(this.#waiting[0]!)
      } catch (error) {
        this.#fail(error)
        return
      }
    }
    if (this.#waiting.length > 0) return
    if (this.#isEnding) endWith(this.#socket)
  }

  /** Sends a part of the bytes, or begins to wrap it. Returns its length. */
  #wrapNext(next: Waiting): number {
    const { bytes, start, line } = next
    const bytesMax = partBytesMax(line.layer)
    if (bytesMax < 1) throw new SaslFailure('the client has no room for protected messages')
    const end = Math.min(start + bytesMax, bytes.length)
    const token = line.wrap(Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start))
    if (token instanceof Promise) void this.#sendWrapped(token, next, end)
    else this.#sendPart(token, next, end)
    return end - start
  }

  async #sendWrapped(token: Promise<Buffer>, next: Waiting, end: number): Promise<void> {
    this.#isWrapping = true
    try {
      const wrapped = await token
      if (!this.#isDropped) this.#sendPart(wrapped, next, end)
      this.#isWrapping = false
    } catch (error) {
      this.#isWrapping = false
      if (!this.#isDropped) this.#fail(error)
    }
    if (this.#isDropped) this.#drop()
    else this.#wrapOn()
  }

  /** Sends the token of the bytes up to `end`. */
  #sendPart(token: Buffer, next: Waiting, end: number): void {
    this.#waitingBytes -= end - next.start
    next.start = end
    this.#send(token)
    if (end < next.bytes.length) return
    this.#waiting.shift()
    // Comes last: other requests may take the memory at once, and answer this client.
    next.sent?.()
  }

  #fail(error: unknown): void {
    this.#drop()
    this.#events.failed(error)
  }

  #send(token: Buffer): void {
    const frame = Buffer.allocUnsafeSlow(LENGTH_BYTES + token.length)
    writeInt32(frame, 0, token.length)
    token.copy(frame, LENGTH_BYTES)
    const memory = this.#memory
    memory.noteStanding(frame.length)
    this.#socket.write(frame, () => {
      memory.giveStanding(frame.length)
      this.#goOn()
    })
  }

  #goOn(): void {
    if (this.#waiting.length > 0 && !this.#turnIsDue) this.#wrapOn()
  }

  #wrapOn(): void {
    this.#wrap()
    if (this.#waiting.length === 0 && !this.#isEnding) this.#events.drained()
  }

  #wrapInNextTurn(): void {
    if (this.#turnIsDue) return
    this.#turnIsDue = true
    setImmediate(() => {
      this.#turnIsDue = false
      this.#goOn()
    })
  }

  #drop(): void {
    this.#isDropped = true
    this.#waitingBytes = 0
    for (const { sent } of this.#waiting.splice(this.#isWrapping ? 1 : 0)) sent?.()
  }
}

/** Most bytes of one message. */
function partBytesMax({ messageBytesMax = MESSAGE_BYTES_MAX }: SaslLayer): number {
  return Math.min(messageBytesMax, MESSAGE_BYTES_MAX)
}
