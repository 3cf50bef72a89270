/** Bytes of an answer as they are written: one Buffer that doubles. Writers reserve room once for several pieces. */
export class OutputBuffer {
  buffer: Buffer
  /** Of the same bytes: its stores of whole words are what is fast. */
  view: DataView
  length = 0

  constructor(capacityBytes = 4096) {
    this.buffer = Buffer.allocUnsafe(capacityBytes)
    this.view = viewOf(this.buffer)
  }

  /** Makes room for `bytes` more and returns the offset at which they go; the caller moves `length`. */
  reserve(bytes: number): number {
    const needed = this.length + bytes
    if (needed > this.buffer.length) this.#grow(needed)
    return this.length
  }

  /** Of bytes that are few: a call of Buffer.copy costs more than the loop. */
  append(bytes: Buffer): void {
    this.length = this.put(this.reserve(bytes.length), bytes)
  }

  /** Writes few bytes at an offset that was reserved; returns the offset after them. */
  put(at: number, bytes: Buffer): number {
    const { buffer } = this
    for (let i = 0; i < bytes.length; i++) buffer[at + i] = bytes[i]!
    return at + bytes.length
  }

  /** What was written since the last take. Shares no bytes with what is written later. */
  take(): Buffer {
    const taken = this.buffer.subarray(0, this.length)
    this.buffer = Buffer.allocUnsafe(Math.max(4096, this.length))
    this.view = viewOf(this.buffer)
    this.length = 0
    return taken
  }

  #grow(needed: number): void {
    const grown = Buffer.allocUnsafe(Math.max(this.buffer.length * 2, needed))
    this.buffer.copy(grown, 0, 0, this.length)
    this.buffer = grown
    this.view = viewOf(grown)
  }
}

function viewOf(buffer: Buffer): DataView {
  return new DataView(buffer.buffer, buffer.byteOffset, buffer.length)
}
