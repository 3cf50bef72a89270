import type { MemoryBudget } from '../../../gateway/limits/memory-budget.ts'
import { ByteQueue } from '../../../gateway/requests/byte-queue.ts'
import { readInt32 } from '../../../model/bytes.ts'
import { reasonOf } from '../../../model/error-reason.ts'
import type { LayerLine } from '../../../wire/sasl/layer-line.ts'
import { LENGTH_BYTES } from './reply-lengths.ts'

/** A protected frame has at most so many bytes more than the message in it. */
const OVERHEAD_BYTES_MAX = 1024

/** Memory that a large frame needs while it is read: its own, and that of its message. */
const COPIES = 2

export interface ProtectedQueueParts {
  readonly memory: MemoryBudget
  readonly line: LayerLine
  /** Most bytes of a message. Java's clients put a whole one in a frame. */
  readonly messageBytesMax: number
  /** Called for an illegal frame, behind which nothing can be read. */
  readonly malformed: (reason: string) => void
}

/**
 * A queue of the bytes that a client sends behind a login with integrity or privacy. They come in frames, an int32 length and a protected part,
 * which can be read only once it has come whole. A large one is read while other connections have their turns.
 */
export class ProtectedQueue extends ByteQueue {
  readonly #parts: ProtectedQueueParts
  readonly #frames: ByteQueue
  #isBroken = false
  #isCleared = false
  #isReading = false
  /** Called each time that a large frame has been read. */
  ready: () => void = () => undefined

  constructor(parts: ProtectedQueueParts) {
    super(parts.memory)
    this.#parts = parts
    this.#frames = new ByteQueue(parts.memory)
  }

  /** True while a large frame is being read. Read no more bytes of the client meanwhile. */
  get isReading(): boolean {
    return this.#isReading
  }

  override get waiting(): number {
    return this.length + this.#frames.length
  }

  override get taken(): number {
    return super.taken + this.#frames.taken
  }

  override push(chunk: Buffer, mayBeRefused = true, from = 0): void {
    if (this.#isBroken) return
    const frames = this.#frames
    // A frame that was read cannot be read again: after it, nothing may be refused.
    if (mayBeRefused) this.makeRoom(this.#readableWith(chunk.length - from))
    frames.push(chunk, mayBeRefused, from)
    this.#readFrames()
  }

  #readFrames(): void {
    while (!this.#isReading) {
      const frame = this.#nextFrame()
      if (frame === undefined) return
      this.#read(frame)
    }
  }

  /** At most so many bytes can be read once that many more have come. */
  #readableWith(bytes: number): number {
    const { buffer, start, length } = this.#frames
    const all = length + bytes
    if (length < LENGTH_BYTES) return all
    return all < LENGTH_BYTES + readInt32(buffer, start) ? 0 : all
  }

  #nextFrame(): Buffer | undefined {
    const frames = this.#frames
    if (this.#isBroken || frames.length < LENGTH_BYTES) return undefined
    const bytes = readInt32(frames.buffer, frames.start)
    const bytesMax = this.#parts.messageBytesMax + OVERHEAD_BYTES_MAX
    if (bytes < 0 || bytes > bytesMax) {
      this.#break(`a protected SASL frame of ${bytes} bytes, of at most ${bytesMax}`)
      return undefined
    }
    if (frames.length < LENGTH_BYTES + bytes) {
      frames.stated = LENGTH_BYTES + bytes
      return undefined
    }
    return frames.take(LENGTH_BYTES + bytes).subarray(LENGTH_BYTES)
  }

  #read(frame: Buffer): void {
    try {
      const message = this.#parts.line.unwrap(frame)
      if (message instanceof Promise) void this.#readLarge(frame, message)
      else super.push(message, false)
    } catch (error) {
      this.#refuse(error)
    }
  }

  async #readLarge({ length }: Buffer, unwrapped: Promise<Buffer>): Promise<void> {
    const { memory } = this.#parts
    this.#isReading = true
    memory.note(COPIES * length)
    try {
      const message = await unwrapped
      if (!this.#isCleared) super.push(message, false)
    } catch (error) {
      if (!this.#isCleared) this.#refuse(error)
    }
    memory.give(COPIES * length)
    this.#isReading = false
    if (this.#isCleared || this.#isBroken) return
    this.#readFrames()
    this.ready()
  }

  #refuse(error: unknown): void {
    this.#break(`a protected SASL frame cannot be read: ${reasonOf(error)}`)
  }

  #break(reason: string): void {
    this.#isBroken = true
    this.#frames.clear()
    this.#parts.malformed(reason)
  }

  override keep(): void {
    super.keep()
    this.#frames.keep()
  }

  override detach(): void {
    super.detach()
    this.#frames.detach()
  }

  override clear(): void {
    this.#isCleared = true
    super.clear()
    this.#frames.clear()
  }
}
