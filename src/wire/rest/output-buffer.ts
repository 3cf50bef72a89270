/** Bytes of an answer as they are written: one Buffer that doubles. Writers reserve room once for several pieces. */
export class OutputBuffer {
  buffer: Buffer
  length = 0

  constructor(capacityBytes = 4096) {
    this.buffer = Buffer.allocUnsafe(capacityBytes)
  }

  /** Makes room for `bytes` more and returns the offset at which they go; the caller moves `length`. */
  reserve(bytes: number): number {
    const needed = this.length + bytes
    if (needed > this.buffer.length) {
      const grown = Buffer.allocUnsafe(Math.max(this.buffer.length * 2, needed))
      this.buffer.copy(grown, 0, 0, this.length)
      this.buffer = grown
    }
    return this.length
  }

  append(bytes: Buffer): void {
    const at = this.reserve(bytes.length)
    bytes.copy(this.buffer, at)
    this.length = at + bytes.length
  }

  /** What was written since the last take. Shares no bytes with what is written later. */
  take(): Buffer {
    const taken = this.buffer.subarray(0, this.length)
    this.buffer = Buffer.allocUnsafe(Math.max(4096, this.length))
    this.length = 0
    return taken
  }
}

/** For a handful of bytes, where a call of Buffer.copy costs more than the loop. Returns the offset after them. */
export function putShort(target: Buffer, at: number, bytes: Buffer): number {
  for (let i = 0; i < bytes.length; i++) target[at + i] = bytes[i]!
  return at + bytes.length
}
