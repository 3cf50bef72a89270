import { copyBytes } from '../../model/bytes.ts'
import { grownBuffer } from '../../model/grown-buffer.ts'

/** Bytes of an answer as they are written: one Buffer that doubles. Writers reserve room once for several pieces. */
export class OutputBuffer {
  buffer: Buffer
  /** A view of the same bytes, for stores of whole words. */
  view: DataView
  length = 0

  constructor(capacityBytes = 4096) {
    this.buffer = Buffer.allocUnsafe(capacityBytes)
    this.view = dataView(this.buffer)
  }

  /** Makes room for `bytes` more and returns the offset for them; the caller advances `length`. */
  reserve(bytes: number): number {
    const needed = this.length + bytes
    if (needed > this.buffer.length) this.#grow(needed)
    return this.length
  }

  append(bytes: Buffer): void {
    this.length = this.put(this.reserve(bytes.length), bytes)
  }

  /** Writes bytes at an offset that was reserved; returns the offset after them. */
  put(at: number, bytes: Buffer): number {
    return copyBytes(bytes, this.buffer, at)
  }

  /** Takes the bytes since the last take. Later writes do not touch them. */
  take(): Buffer {
    const taken = this.buffer.subarray(0, this.length)
    this.buffer = Buffer.allocUnsafe(Math.max(4096, this.length))
    this.view = dataView(this.buffer)
    this.length = 0
    return taken
  }

  #grow(needed: number): void {
    this.buffer = grownBuffer(this.buffer, this.length, needed)
    this.view = dataView(this.buffer)
  }
}

function dataView(buffer: Buffer): DataView {
  return new DataView(buffer.buffer, buffer.byteOffset, buffer.length)
}
