/**
 * Answers to a client whose login has agreed on integrity or privacy: `length i32 | token`. The messages of the tokens, one after the other, are the
 * bytes that a client without protection gets. HBase: SaslWrapHandler.
 */

import type { Socket } from 'node:net'
import type { MemoryBudget } from '../../../gateway/limits/memory-budget.ts'
import { writeInt32 } from '../../../model/bytes.ts'
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
  #layer: SaslLayer
  readonly #waiting: Waiting[] = []
  #waitingBytes = 0
  #turnIsDue = false
  #isEnding = false

  constructor(socket: Socket, layer: SaslLayer, memory: MemoryBudget, events: ProtectedOutputEvents) {
    this.#socket = socket
    this.#layer = layer
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

  write(bytes: Uint8Array, sent?: () => void): boolean {
    if (this.writable) {
      this.#waiting.push({ bytes, sent, start: 0 })
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

  /** Protects all that is written from now on by another layer. Call it only where nothing waits. */
  set layer(layer: SaslLayer) {
    this.#layer = layer
  }

  #wrap(): void {
    let wrapped = 0
    while (this.#waiting.length > 0 && this.#socket.writableLength < UNSENT_BYTES_MAX) {
      if (wrapped >= TURN_BYTES_MAX) {
        this.#wrapInNextTurn()
        return
      }
      try {
        wrapped += this.#wrapNext(this.#waiting[0]!)
      } catch (error) {
        this.#drop()
        this.#events.failed(error)
        return
      }
    }
    if (this.#waiting.length > 0) return
    if (this.#isEnding) endWith(this.#socket)
  }

  /** Sends a part of the bytes. Returns its length. */
  #wrapNext(next: Waiting): number {
    const { bytes, start } = next
    const { messageBytesMax = MESSAGE_BYTES_MAX } = this.#layer
    if (messageBytesMax < 1) throw new SaslFailure('the client has no room for protected messages')
    const end = Math.min(start + Math.min(messageBytesMax, MESSAGE_BYTES_MAX), bytes.length)
    const message = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start)
    const token = this.#layer.wrap(message)
    next.start = end
    this.#waitingBytes -= end - start
    this.#send(token)
    if (end === bytes.length) {
      this.#waiting.shift()
      // Comes last: other requests may take the memory at once, and answer this client.
      next.sent?.()
    }
    return end - start
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
    if (this.#waiting.length === 0 || this.#turnIsDue) return
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
    for (const { sent } of this.#waiting.splice(0)) sent?.()
    this.#waitingBytes = 0
  }
}
