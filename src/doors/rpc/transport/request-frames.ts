import type { ByteQueue } from '../../../gateway/requests/byte-queue.ts'
import { readInt32 } from '../../../model/bytes.ts'
import { FrameTooLarge } from '../../../wire/rpc/frame-too-large.ts'

const LENGTH_BYTES = 4
/** Most bytes that a request's header has, usually. The header has the call id, by which a refusal is answered. */
const HEAD_BYTES = 512

/** Cuts the bytes that a client sends into frames: `length i32 | bytes`. */
export class RequestFrames {
  readonly #queue: ByteQueue
  /** Most bytes of one frame. */
  bytesMax: number

  constructor(queue: ByteQueue, bytesMax: number) {
    this.#queue = queue
    this.bytesMax = bytesMax
  }

  /**
   * The next frame, or undefined before it has come whole. Throws FrameTooLarge, also for a negative length. `isOfCall`: the frame is a
   * call. Then a too large one is refused only once its header has come.
   */
  next(isOfCall: boolean): Buffer | undefined {
    const queue = this.#queue
    const length = this.#length()
    if (length === undefined) return undefined
    if (length < 0 || length > this.bytesMax) {
      if (isOfCall && queue.length < LENGTH_BYTES + Math.min(length, HEAD_BYTES)) return undefined
      throw new FrameTooLarge(`a frame of ${length} bytes; the limit is ${this.bytesMax}`)
    }
    if (queue.length < LENGTH_BYTES + length) {
      queue.stated = LENGTH_BYTES + length
      return undefined
    }
    queue.skip(LENGTH_BYTES)
    return queue.take(length)
  }

  /** Drops the first frame, including its bytes that are still to come. Returns the bytes that have come. */
  skip(): Buffer | undefined {
    const queue = this.#queue
    const length = this.#length()
    if (length === undefined || length < 0) return undefined
    const { buffer, start, end } = queue
    queue.skip(LENGTH_BYTES + length)
    return buffer.subarray(start + LENGTH_BYTES, Math.min(end, start + LENGTH_BYTES + length))
  }

  #length(): number | undefined {
    const queue = this.#queue
    if (queue.length < LENGTH_BYTES) return undefined
    return readInt32(queue.buffer, queue.start)
  }
}
