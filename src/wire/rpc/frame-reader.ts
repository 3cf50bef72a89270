/**
 * Cuts a stream into frames: `length i32 | bytes`. The socket reads straight into `space()`: a small frame stays in the
 * received chunk, a large one gets a buffer of its own, both without a copy. A frame stays valid, and keeps its chunk alive:
 * only the memory of a large frame that its reader has given back is written again.
 */

import { readInt32 } from '../../model/bytes.ts'
import { FrameMemory } from './frame-memory.ts'
import { FrameTooLarge } from './frame-too-large.ts'

const LENGTH_BYTES = 4
/** How an answer of HTTP begins, read as a length: the client's settings name the port of another protocol. */
const HTTP_LETTERS = Buffer.from('HTTP').readInt32BE()
const CHUNK_BYTES = 64 * 1024
/** Less space than this is not worth a read. */
const SPACE_BYTES_MIN = 8 * 1024
/** The `release` of a large frame whose memory is not used again. */
const KEPT_BY_COLLECTOR = (): void => undefined

/** `release` gives a large frame's memory back, once; do not read the frame afterwards. Undefined for a small frame. */
export type FrameHandler = (
  buffer: Buffer,
  start: number,
  end: number,
  release: (() => void) | undefined,
) => void

export class FrameReader {
  readonly #bytesMax: number
  readonly #onFrame: FrameHandler
  #chunk: Buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES)
  /** Bounds of the chunk's bytes that are not handed on yet. */
  #start = 0
  #end = 0
  /** A frame too large for the chunk, and how much of it has arrived. */
  #large: Buffer | undefined
  #largeEnd = 0
  #largeLength = 0
  readonly #memory = new FrameMemory()

  constructor(bytesMax: number, onFrame: FrameHandler) {
    this.#bytesMax = bytesMax
    this.#onFrame = onFrame
  }

  /** The buffer for the next bytes: never empty. */
  space(): Buffer {
    if (this.#large !== undefined) return this.#large.subarray(this.#largeEnd, this.#largeLength)
    if (this.#chunk.length - this.#end < SPACE_BYTES_MIN) this.#renew()
    return this.#chunk.subarray(this.#end)
  }

  /** Takes the first `bytes` bytes of space(). Throws FrameTooLarge, also for a negative length. */
  advance(bytes: number): void {
    if (this.#large !== undefined) {
      this.#largeEnd += bytes
      if (this.#largeEnd < this.#largeLength) return
      const frame = this.#large
      this.#large = undefined
      this.#onFrame(frame, 0, this.#largeLength, () => this.#memory.giveBack(frame))
      return
    }
    this.#end += bytes
    this.#cut()
  }

  /** Takes bytes that were received elsewhere. */
  push(bytes: Buffer): void {
    let at = 0
    while (at < bytes.length) {
      const copied = bytes.copy(this.space(), 0, at)
      this.advance(copied)
      at += copied
    }
  }

  /** As push, for memory that nothing else writes: whole frames stay where they are in it. */
  pushOwned(bytes: Buffer): void {
    let at = 0
    while (this.#isIdle && bytes.length - at >= LENGTH_BYTES) {
      const start = at + LENGTH_BYTES
      const end = start + this.#lengthAt(bytes, at)
      if (end > bytes.length) break
      at = end
      this.#onFrame(bytes, start, end, end - start > CHUNK_BYTES ? KEPT_BY_COLLECTOR : undefined)
    }
    if (at < bytes.length) this.push(bytes.subarray(at))
  }

  /** True between two frames. */
  get #isIdle(): boolean {
    return this.#large === undefined && this.#start === this.#end
  }

  /** Throws FrameTooLarge. */
  #lengthAt(buffer: Buffer, at: number): number {
    const length = readInt32(buffer, at)
    if (length >= 0 && length <= this.#bytesMax) return length
    throw new FrameTooLarge(
      length === HTTP_LETTERS
        ? 'the answer is HTTP, not native RPC: is this the right port?'
        : `a frame of ${length} bytes; the limit is ${this.#bytesMax}`,
    )
  }

  #cut(): void {
    while (this.#end - this.#start >= LENGTH_BYTES) {
      const chunk = this.#chunk
      const length = this.#lengthAt(chunk, this.#start)
      const start = this.#start + LENGTH_BYTES
      if (start + length > this.#end) {
        if (start + length > chunk.length) this.#enlarge(start, length)
        return
      }
      this.#start = start + length
      this.#onFrame(chunk, start, start + length, undefined)
    }
  }

  /** Moves the beginning of a frame out of a chunk that is too short for it. */
  #enlarge(start: number, length: number): void {
    this.#large = this.#memory.take(length)
    this.#largeLength = length
    this.#largeEnd = this.#chunk.copy(this.#large, 0, start, this.#end)
    this.#start = this.#end
  }

  #renew(): void {
    const chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES)
    this.#end = this.#chunk.copy(chunk, 0, this.#start, this.#end)
    this.#start = 0
    this.#chunk = chunk
  }
}
