import type { MemoryBudget } from '../../../gateway/limits/memory-budget.ts'
import { ByteQueue } from '../../../gateway/requests/byte-queue.ts'
import { EMPTY } from '../../../model/bytes.ts'
import type { LayerLine } from '../../../wire/sasl/layer-line.ts'
import { type LateMessage, ProtectedMessages } from './protected-messages.ts'
import { RequestFrames } from './request-frames.ts'

/** Memory that a large message needs while its token is read: both. */
const COPIES = 2

/**
 * The bytes of a client, from the chunks of its socket to its frames. Their memory is that of a ByteQueue: methods throw NoRoom and TOO_LARGE as it
 * does. Where the client's messages are protected, there are two queues: one of tokens as received, and one of the bytes that they contain.
 */
export class ReceivedFrames {
  readonly #memory: MemoryBudget
  /** Bytes as received. */
  readonly #received: ByteQueue
  /** Bytes of frames: those received, or those of protected messages. */
  #plain: ByteQueue
  #frames: RequestFrames
  /** Undefined where bytes come as they are. */
  #messages: ProtectedMessages | undefined
  /** A message that the queue of frames has no room for yet. */
  #unqueued: Buffer = EMPTY
  /** The memory of #unqueued, once its queue has refused it. */
  #ofUnqueued = 0
  /** True while a large message is being read: no frame behind it comes until `ready` is called. */
  isReading = false
  /** The error of such a message. */
  #failure: unknown
  #isCleared = false
  readonly #ready: () => void
  /** True where the memory of a token was refused: the request in it cannot be answered. */
  #lacksToken = false

  /** `bytesMax`: of a frame. `ready`: called each time that `isReading` has ended, unless the queue was cleared. */
  constructor(memory: MemoryBudget, bytesMax: number, ready: () => void) {
    this.#memory = memory
    this.#ready = ready
    this.#received = new ByteQueue(memory)
    this.#plain = this.#received
    this.#frames = new RequestFrames(this.#plain, bytesMax)
  }

  /** Most bytes of one frame. */
  set bytesMax(bytesMax: number) {
    this.#frames.bytesMax = bytesMax
  }

  /** Bytes that are not taken yet. */
  get length(): number {
    const { length } = this.#received
    return this.#messages === undefined ? length : length + this.#plain.length + this.#unqueued.length
  }

  /** Bytes of memory that they hold. */
  get taken(): number {
    const { taken } = this.#received
    return this.#messages === undefined ? taken : taken + this.#plain.taken + this.#ofUnqueued
  }

  /** All further bytes are protected by the layer of the line. `bytesMax`: of a message. */
  protect(line: LayerLine, bytesMax: number): void {
    if (this.#messages !== undefined) {
      this.#messages.line = line
      return
    }
    this.#messages = new ProtectedMessages(this.#received, line, bytesMax)
    this.#plain = new ByteQueue(this.#memory)
    this.#frames = new RequestFrames(this.#plain, this.#frames.bytesMax)
  }

  push(chunk: Buffer): void {
    if (this.#messages === undefined) this.#received.push(chunk)
    else this.#ofTokens(() => this.#received.push(chunk))
  }

  /** Takes memory for the bytes, which stay until more come. */
  keep(): void {
    if (this.#messages === undefined) {
      this.#received.keep()
      return
    }
    this.#plain.keep()
    this.#ofTokens(() => this.#received.keep())
  }

  /** The first bytes of a connection; undefined before so many have come. */
  preamble(length: number): Buffer | undefined {
    return this.#received.length < length ? undefined : this.#received.take(length)
  }

  /** As RequestFrames.next. Also throws ConnectionRefused for a message that is not protected as it must be. */
  next(isOfCall: boolean): Buffer | undefined {
    if (this.isReading) return undefined
    if (this.#failure !== undefined) throw this.#failure
    for (;;) {
      this.#queueMessage()
      const frame = this.#frames.next(isOfCall)
      if (frame !== undefined || this.#messages === undefined) return frame
      const message = this.#messages.next()
      if (message === undefined) return undefined
      if (!Buffer.isBuffer(message)) {
        void this.#read(message)
        return undefined
      }
      this.#unqueued = message
    }
  }

  async #read({ message, tokenBytes }: LateMessage): Promise<void> {
    this.isReading = true
    this.#memory.note(COPIES * tokenBytes)
    try {
      const read = await message
      if (!this.#isCleared) this.#unqueued = read
    } catch (error) {
      this.#failure = error
    }
    this.#memory.give(COPIES * tokenBytes)
    this.isReading = false
    if (!this.#isCleared) this.#ready()
  }

  #queueMessage(): void {
    const { length } = this.#unqueued
    if (length === 0) return
    try {
      this.#plain.push(this.#unqueued)
    } catch (error) {
      if (this.#ofUnqueued === 0) this.#memory.note(length)
      this.#ofUnqueued = length
      throw error
    }
    this.#dropUnqueued()
  }

  #dropUnqueued(): void {
    this.#memory.give(this.#ofUnqueued)
    this.#ofUnqueued = 0
    this.#unqueued = EMPTY
  }

  /** Drops the first frame, including its bytes that are still to come. Returns the bytes that have come; undefined where its call id has not. */
  skip(): Buffer | undefined {
    return this.#lacksToken ? undefined : this.#frames.skip()
  }

  #ofTokens(work: () => void): void {
    this.#lacksToken = true
    work()
    this.#lacksToken = false
  }

  clear(): void {
    this.#isCleared = true
    this.#received.clear()
    this.#plain.clear()
    this.#dropUnqueued()
  }
}
