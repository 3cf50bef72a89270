import type { EncodedInput } from './encoded-input.ts'

/** A 64-bit number in two int32 halves, with Java's overflow: a bigint costs some 60 ns a timestamp. */
export class Int64 {
  high = 0
  low = 0

  set(high: number, low: number): void {
    this.high = high
    this.low = low
  }

  subtract(other: Int64): void {
    const borrow = this.low >>> 0 < other.low >>> 0 ? 1 : 0
    this.low = (this.low - other.low) | 0
    this.high = (this.high - other.high - borrow) | 0
  }

  #negate(): void {
    this.low = -this.low | 0
    this.high = (~this.high + (this.low === 0 ? 1 : 0)) | 0
  }

  /** Returns whether the number was negative. The least of all numbers stays negative, as in Java. */
  makeAbsolute(): boolean {
    if (this.high >= 0) return false
    this.#negate()
    return true
  }

  /** Bytes that the number takes; all eight where it is negative. HBase: ByteBufferUtils.longFitsIn. */
  get bytes(): number {
    if (this.high === 0) return unsignedBytes(this.low)
    return this.high < 0 ? 8 : 4 + unsignedBytes(this.high)
  }

  /** Writes `bytes` bytes, the lowest first; returns the offset after them. */
  writeTo(target: Buffer, at: number): number {
    const end = at + this.bytes
    for (let i = 0; at < end; i++, at++)
      target[at] = i < 4 ? this.low >>> (8 * i) : this.high >>> (8 * i - 32)
    return end
  }

  /** Reads `bytes` bytes, the lowest first. `isDifference`: how much less the number is than this one was. */
  read(input: EncodedInput, bytes: number, isNegative: boolean, isDifference: boolean): void {
    const { high, low } = this
    this.high = 0
    this.low = 0
    for (let i = 0; i < bytes; i++) {
      if (i < 4) this.low |= input.byte() << (8 * i)
      else this.high |= input.byte() << (8 * i - 32)
    }
    if (isNegative) this.#negate()
    if (!isDifference) return
    const borrow = low >>> 0 < this.low >>> 0 ? 1 : 0
    this.low = (low - this.low) | 0
    this.high = (high - this.high - borrow) | 0
  }
}

function unsignedBytes(value: number): number {
  if (value >>> 8 === 0) return 1
  if (value >>> 16 === 0) return 2
  return value >>> 24 === 0 ? 3 : 4
}
