/** Reads numbers and bytes of an encoded block into the plain one. Every read is checked: the bytes may be damaged. */

/** Below this a loop beats Buffer.copy, whose call costs 95 ns. */
const LOOP_BYTES_MAX = 32

export class EncodedInput {
  at: number
  /** Where the next plain byte goes. */
  out = 0
  readonly source: Buffer
  readonly end: number
  readonly target: Buffer
  readonly targetEnd: number

  constructor(source: Buffer, start: number, end: number, target: Buffer, targetEnd: number) {
    this.source = source
    this.at = start
    this.end = end
    this.target = target
    this.targetEnd = targetEnd
  }

  byte(): number {
    if (this.at >= this.end) throw new Error('it ends within a cell')
    return this.source[this.at++]!
  }

  /** Seven bits a byte, the lowest first. HBase: ByteBufferUtils.readCompressedInt. */
  varint(): number {
    let value = 0
    for (let shift = 0; shift < 32; shift += 7) {
      const byte = this.byte()
      value |= (byte & 0x7f) << shift
      if (byte < 0x80) {
        if (value < 0) break
        return value
      }
    }
    throw new Error('it has a length above 2^31')
  }

  put(byte: number): void {
    this.#makeRoom(1)
    this.target[this.out++] = byte
  }

  putInt32(value: number): void {
    this.#makeRoom(4)
    const { target, out } = this
    target[out] = value >>> 24
    target[out + 1] = value >>> 16
    target[out + 2] = value >>> 8
    target[out + 3] = value
    this.out = out + 4
  }

  /** The next `bytes` bytes as they are. */
  copy(bytes: number): void {
    if (bytes < 0 || bytes > this.end - this.at) throw new Error('it ends within a cell')
    this.#makeRoom(bytes)
    const { source, at, target, out } = this
    if (bytes <= LOOP_BYTES_MAX) for (let i = 0; i < bytes; i++) target[out + i] = source[at + i]!
    else source.copy(target, out, at, at + bytes)
    this.at = at + bytes
    this.out = out + bytes
  }

  /** Bytes again that were written at target[from]. */
  repeat(from: number, bytes: number): void {
    if (bytes < 0 || from < 0 || from + bytes > this.out)
      throw new Error('it repeats more than the cell before has')
    this.#makeRoom(bytes)
    const { target, out } = this
    if (bytes <= LOOP_BYTES_MAX) for (let i = 0; i < bytes; i++) target[out + i] = target[from + i]!
    else target.copyWithin(out, from, from + bytes)
    this.out = out + bytes
  }

  /** All has been read, and as many plain bytes as were promised were written. */
  finish(): void {
    if (this.out !== this.targetEnd)
      throw new Error(`its cells take ${this.out} bytes, not ${this.targetEnd}`)
  }

  #makeRoom(bytes: number): void {
    if (bytes > this.targetEnd - this.out) throw new Error(`its cells take more than ${this.targetEnd} bytes`)
  }
}
