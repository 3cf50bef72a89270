import { copyBytes } from '../../model/bytes.ts'
import { grownBuffer } from '../../model/grown-buffer.ts'
import { someMemory } from '../../model/mapped-memory.ts'
import { ViewedBytes } from '../../model/viewed-bytes.ts'

const CAPACITY_BYTES_MIN = 4096
/** The next page may be a few bytes longer than the last one. */
const SPARE_PART = 1 / 64

/** Bytes of an answer as they are written: one Buffer that doubles. Writers reserve room once for several pieces. */
export class OutputBuffer {
  buffer: Buffer
  /** A view of the same bytes, for stores of whole words. */
  view: DataView
  length = 0
  #source: ViewedBytes = ViewedBytes.EMPTY

  constructor(capacityBytes: number = CAPACITY_BYTES_MIN) {
    this.buffer = someMemory(capacityBytes)
    this.view = dataView(this.buffer)
  }

  /** Makes room for `bytes` more and returns the offset for them; the caller advances `length`. */
  reserve(bytes: number): number {
    const needed = this.length + bytes
    if (needed > this.buffer.length) this.#grow(needed)
    return this.length
  }

  append(bytes: Buffer): void {
    const at = this.reserve(bytes.length)
    this.length = copyBytes(bytes, this.buffer, at)
  }

  /** A view of the bytes that are to be written, which lie in few buffers: one of the last buffer is kept. */
  viewOf(source: Buffer): DataView {
    if (source !== this.#source.buffer) this.#source = new ViewedBytes(source)
    return this.#source.view
  }

  /** Takes the bytes since the last take. Later writes do not touch them. */
  take(): Buffer {
    const taken = this.buffer.subarray(0, this.length)
    this.#source = ViewedBytes.EMPTY
    this.buffer = someMemory(Math.max(CAPACITY_BYTES_MIN, this.length + Math.ceil(this.length * SPARE_PART)))
    this.view = dataView(this.buffer)
    this.length = 0
    return taken
  }

  /** A copy of the bytes since the last take. Later writes begin anew in the same buffer. */
  copied(): Buffer {
    const copy = Buffer.allocUnsafe(this.length)
    this.buffer.copy(copy, 0, 0, this.length)
    this.clear()
    return copy
  }

  /** Drops the bytes since the last take. */
  clear(): void {
    this.#source = ViewedBytes.EMPTY
    this.length = 0
  }

  #grow(needed: number): void {
    this.buffer = grownBuffer(this.buffer, this.length, needed)
    this.view = dataView(this.buffer)
  }
}

function dataView(buffer: Buffer): DataView {
  return new DataView(buffer.buffer, buffer.byteOffset, buffer.length)
}
