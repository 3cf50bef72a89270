/**
 * Writes protobuf messages into one reused Buffer, for frames and the frequent calls: ten times as fast as reflective code,
 * which takes microseconds per call.
 */

import { copyBytes, writeInt32 } from '../../model/bytes.ts'
import { grownBuffer } from '../../model/grown-buffer.ts'
import { varintBytes, writeVarint, writeVarint64 } from './varint.ts'

const FIRST_BYTES = 8 * 1024
/** A message up to this size is copied out and the buffer stays; a larger one takes the buffer with it. */
const COPIED_BYTES_MAX = 64 * 1024
const FRAME_LENGTH_BYTES = 4
const LENGTH_DELIMITED = 2
/** The most bytes of a tag or a 64-bit number. */
const VARINT_BYTES_MAX = 10

export class MessageWriter {
  buffer: Buffer
  length = 0

  /** `memory`: where to begin to write. */
  constructor(memory: Buffer = Buffer.allocUnsafeSlow(FIRST_BYTES)) {
    this.buffer = memory
  }

  /** Makes room for `bytes` more and returns the offset at which they go; the caller moves `length`. */
  reserve(bytes: number): number {
    const needed = this.length + bytes
    if (needed > this.buffer.length) this.buffer = grownBuffer(this.buffer, this.length, needed)
    return this.length
  }

  /** An unsigned 32-bit number; write a negative one, which takes ten bytes, with `int64`. */
  uint32(field: number, value: number): void {
    const at = this.reserve(2 * VARINT_BYTES_MAX)
    this.length = writeVarint(this.buffer, writeVarint(this.buffer, at, field << 3), value)
  }

  /** A repeated field of unsigned numbers, unpacked: each has its own tag, which takes one byte. */
  uint32s(field: number, values: readonly number[]): void {
    let at = this.reserve(values.length * (1 + VARINT_BYTES_MAX))
    const { buffer } = this
    for (let i = 0; i < values.length; i++) {
      buffer[at] = field << 3
      at = writeVarint(buffer, at + 1, values[i]!)
    }
    this.length = at
  }

  /** `count` times the number 0 of a repeated field, unpacked, whose tag takes one byte. */
  zeros(field: number, count: number): void {
    const at = this.reserve(2 * count)
    const { buffer } = this
    const end = at + 2 * count
    for (let i = at; i < end; i += 2) {
      buffer[i] = field << 3
      buffer[i + 1] = 0
    }
    this.length = end
  }

  bool(field: number, value: boolean): void {
    this.uint32(field, value ? 1 : 0)
  }

  int64(field: number, value: bigint): void {
    // Must precede each use of the buffer, since it may replace the buffer.
    const start = this.reserve(2 * VARINT_BYTES_MAX)
    const at = writeVarint(this.buffer, start, field << 3)
    const high = Number(BigInt.asUintN(32, value >> 32n))
    this.length = writeVarint64(this.buffer, at, high, Number(BigInt.asUintN(32, value)))
  }

  bytes(field: number, value: Buffer): void {
    const length = value.length
    let at = this.reserve(2 * VARINT_BYTES_MAX + length)
    const { buffer } = this
    at = writeVarint(buffer, writeVarint(buffer, at, (field << 3) | LENGTH_DELIMITED), length)
    this.length = copyBytes(value, buffer, at)
  }

  string(field: number, text: string): void {
    const length = Buffer.byteLength(text)
    let at = this.reserve(2 * VARINT_BYTES_MAX + length)
    at = writeVarint(this.buffer, writeVarint(this.buffer, at, (field << 3) | LENGTH_DELIMITED), length)
    this.length = at + this.buffer.write(text, at)
  }

  /** Encoded bytes: a whole message, or several fields. */
  raw(value: Uint8Array): void {
    const at = this.reserve(value.length)
    this.buffer.set(value, at)
    this.length = at + value.length
  }

  range(source: Buffer, start: number, end: number): void {
    const at = this.reserve(end - start)
    source.copy(this.buffer, at, start, end)
    this.length = at + end - start
  }

  /** Starts a message in a field; its content follows until `end`. */
  begin(field: number): number {
    const at = this.reserve(VARINT_BYTES_MAX)
    this.length = writeVarint(this.buffer, at, (field << 3) | LENGTH_DELIMITED)
    return this.beginDelimited()
  }

  /** Starts a message behind its length, outside any field. */
  beginDelimited(): number {
    const start = this.reserve(1) + 1
    this.length = start
    return start
  }

  /** Puts the length before the content; `start` is the result of `begin`. */
  end(start: number): void {
    const length = this.length - start
    const more = varintBytes(length) - 1
    if (more > 0) {
      this.reserve(more)
      this.buffer.copyWithin(start + more, start, this.length)
      this.length += more
    }
    writeVarint(this.buffer, start - 1, length)
  }

  /** Starts a frame, which has an int32 length; its content follows until `endFrame`. */
  beginFrame(): number {
    const start = this.reserve(FRAME_LENGTH_BYTES)
    this.length = start + FRAME_LENGTH_BYTES
    return start
  }

  endFrame(start: number): void {
    writeInt32(this.buffer, start, this.length - start - FRAME_LENGTH_BYTES)
  }

  /** The bytes written since the last take, in a Buffer of their own. */
  take(): Buffer {
    const { length } = this
    this.length = 0
    if (length <= COPIED_BYTES_MAX) {
      const taken = Buffer.allocUnsafe(length)
      this.buffer.copy(taken, 0, 0, length)
      return taken
    }
    const taken = this.buffer.subarray(0, length)
    this.buffer = Buffer.allocUnsafeSlow(FIRST_BYTES)
    return taken
  }

  /** Gives the memory of an earlier large message back. */
  shrink(): void {
    if (this.buffer.length <= COPIED_BYTES_MAX || this.length * 4 > this.buffer.length) return
    const smaller = Buffer.allocUnsafeSlow(Math.max(FIRST_BYTES, this.length * 2))
    this.buffer.copy(smaller, 0, 0, this.length)
    this.buffer = smaller
  }
}
