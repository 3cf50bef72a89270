/** The bytes of an answer that is being written, in a Buffer that doubles. Writers reserve room once for several pieces. */
export class OutputBuffer {
  buffer: Buffer
  /** A view of the same bytes, for fast stores of whole words. */
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

  /** Appends a few bytes: a call of Buffer.copy costs more than the loop. */
  append(bytes: Buffer): void {
    this.length = this.put(this.reserve(bytes.length), bytes)
  }

  /** Writes a few bytes at a reserved offset; returns the offset after them. */
  put(at: number, bytes: Buffer): number {
    const { buffer } = this
    for (let i = 0; i < bytes.length; i++) buffer[at + i] = bytes[i]!
    return at + bytes.length
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
    const grown = Buffer.allocUnsafe(Math.max(this.buffer.length * 2, needed))
    this.buffer.copy(grown, 0, 0, this.length)
    this.buffer = grown
    this.view = dataView(grown)
  }
}

function dataView(buffer: Buffer): DataView {
  return new DataView(buffer.buffer, buffer.byteOffset, buffer.length)
}
