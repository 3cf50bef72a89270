import type { MemoryBudget } from '../../../gateway/limits/memory-budget.ts'
import { ByteQueue } from '../../../gateway/requests/byte-queue.ts'
import { readInt32, writeInt32 } from '../../../model/bytes.ts'
import { LENGTH_BYTES } from './reply-lengths.ts'

/**
 * A queue of the bytes that a SASL client sends, without SASL's frames: each piece of its stream stands behind an int32 length.
 * A frame need not hold a whole message, nor a chunk a whole frame.
 */
export class SaslQueue extends ByteQueue {
  readonly #malformed: (reason: string) => void
  /** A length that has come in part. */
  readonly #length = Buffer.alloc(LENGTH_BYTES)
  #lengthBytes = 0
  /** Bytes of the current frame that are still to come. */
  #frameLeft = 0
  #isBroken = false

  /** `malformed`: called for an illegal frame, behind which nothing can be read. */
  constructor(memory: MemoryBudget, malformed: (reason: string) => void) {
    super(memory)
    this.#malformed = malformed
  }

  override push(chunk: Buffer, mayBeRefused = true, from = 0): void {
    if (this.#isOneFrame(chunk, from)) {
      super.push(chunk, mayBeRefused, from + LENGTH_BYTES)
      return
    }
    const [lengthBytes, frameLeft, length] = [this.#lengthBytes, this.#frameLeft, readInt32(this.#length, 0)]
    let isRefusable = mayBeRefused
    for (let at = from; at < chunk.length && !this.#isBroken; ) {
      if (this.#frameLeft === 0) {
        this.#readLength(chunk[at++]!)
        continue
      }
      const end = Math.min(chunk.length, at + this.#frameLeft)
      this.#frameLeft -= end - at
      try {
        super.push(chunk.subarray(0, end), isRefusable, at)
      } catch (error) {
        // Nothing of the chunk was taken: restore the state before it.
        this.#lengthBytes = lengthBytes
        this.#frameLeft = frameLeft
        writeInt32(this.#length, 0, length)
        throw error
      }
      isRefusable = false
      at = end
    }
  }

  /** True where the chunk is exactly one frame: most clients send a message and wait. */
  #isOneFrame(chunk: Buffer, from: number): boolean {
    const bytes = chunk.length - from - LENGTH_BYTES
    return bytes > 0 && this.#frameLeft === 0 && this.#lengthBytes === 0 && readInt32(chunk, from) === bytes
  }

  #readLength(byte: number): void {
    this.#length[this.#lengthBytes++] = byte
    if (this.#lengthBytes < LENGTH_BYTES) return
    this.#lengthBytes = 0
    this.#frameLeft = readInt32(this.#length, 0)
    if (this.#frameLeft >= 0) return
    this.#isBroken = true
    this.#malformed(`a SASL frame of ${this.#frameLeft} bytes`)
  }
}
