import { writeInt32 } from '../../../src/model/bytes.ts'
import { grownBuffer } from '../../../src/model/grown-buffer.ts'
import { ownMemory } from '../../../src/model/mapped-memory.ts'
import { VLONG_BYTES_MAX, writeVLong } from './vlong.ts'

/** The checksums of a block of one large cell have room behind it, so that they do not move it to a buffer twice as large. */
const SPARE_PART = 1 / 256

/** A buffer that grows as it is written and can be started over. Integers are big-endian. */
export class ByteOutput {
  buffer: Buffer
  length: number

  constructor(capacityBytes: number) {
    this.buffer = ownMemory(capacityBytes)
    this.length = 0
  }

  /** Makes room for `bytes` more; they may then be written at buffer[length]. */
  reserve(bytes: number): void {
    const needed = this.length + bytes
    if (needed > this.buffer.length)
      this.buffer = grownBuffer(this.buffer, this.length, needed + Math.ceil(needed * SPARE_PART))
  }

  int32(value: number): void {
    this.reserve(4)
    writeInt32(this.buffer, this.length, value)
    this.length += 4
  }

  /** A safe integer as eight bytes. */
  long(value: number): void {
    this.reserve(8)
    writeLong(this.buffer, this.length, value)
    this.length += 8
  }

  bytes(source: Buffer, start = 0, end: number = source.length): void {
    this.reserve(end - start)
    source.copy(this.buffer, this.length, start, end)
    this.length += end - start
  }

  vlong(value: number): void {
    this.reserve(VLONG_BYTES_MAX)
    this.length = writeVLong(this.buffer, this.length, value)
  }

  /** Bytes behind their vlong length. HBase: Bytes.writeByteArray. */
  byteArray(source: Buffer): void {
    this.vlong(source.length)
    this.bytes(source)
  }

  written(): Buffer {
    return this.buffer.subarray(0, this.length)
  }
}

/** A safe integer, negative or not, as eight bytes in two's complement. */
export function writeLong(target: Buffer, offset: number, value: number): void {
  writeInt32(target, offset, Math.floor(value / 0x1_0000_0000))
  writeInt32(target, offset + 4, value)
}

/** Eight bytes as a number: exact where it is a safe integer. */
export function readLong(source: Buffer, offset: number): number {
  const high =
    (source[offset]! << 24) | (source[offset + 1]! << 16) | (source[offset + 2]! << 8) | source[offset + 3]!
  const low =
    (source[offset + 4]! << 24) |
    (source[offset + 5]! << 16) |
    (source[offset + 6]! << 8) |
    source[offset + 7]!
  return high * 0x1_0000_0000 + (low >>> 0)
}
