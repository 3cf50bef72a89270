/**
 * The parts of keys, as Hadoop's RollingLevelDBTimelineStore joins them without separators: texts end in a NUL, and times are reversed so
 * that later ones come first.
 */

export const LONG_MAX: bigint = 0x7fff_ffff_ffff_ffffn

const SEPARATOR: Buffer = Buffer.alloc(1)
export const TIME_BYTES = 8

/** The text and the NUL after it. */
export function separated(text: string | Buffer): Buffer {
  return Buffer.concat([typeof text === 'string' ? Buffer.from(text) : text, SEPARATOR])
}

/** Long.MAX_VALUE minus the time, in 8 bytes. */
export function reversedTime(time: bigint): Buffer {
  const bytes = Buffer.allocUnsafe(TIME_BYTES)
  bytes.writeBigInt64BE(BigInt.asIntN(64, LONG_MAX - time))
  return bytes
}

/** Throws RangeError where fewer than 8 bytes follow. */
export function timeOfReversed(bytes: Buffer, offset = 0): bigint {
  return BigInt.asIntN(64, LONG_MAX - bytes.readBigInt64BE(offset))
}

/** Reads the parts of a key in order. */
export class KeyParser {
  readonly key: Buffer
  offset: number

  constructor(key: Buffer, offset = 0) {
    this.key = key
    this.offset = offset
  }

  /** The text before the next NUL, or before the key's end. */
  text(): string {
    const nul = this.key.indexOf(0, this.offset)
    const end = nul < 0 ? this.key.length : nul
    const text = this.key.toString('utf8', this.offset, end)
    this.offset = end + 1
    return text
  }

  /** Throws RangeError where fewer than 8 bytes follow. */
  time(): bigint {
    const time = timeOfReversed(this.key, this.offset)
    this.offset += TIME_BYTES
    return time
  }

  rest(): Buffer {
    return this.key.subarray(this.offset)
  }
}
