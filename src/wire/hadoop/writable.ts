/** Hadoop's Writables: numbers of a variable length, and texts behind theirs. Hadoop: WritableUtils.writeVLong, Text. */

import { HBaseError } from '../../model/errors.ts'

const ONE_BYTE_MAX = 127
/** The first byte of a number of n further bytes is this less n. */
const LONGER = -112
const BYTES_MAX = 8

/** Throws ILLEGAL_ARGUMENT for bytes that end early, for negative numbers, and for numbers beyond 2^53. */
export class WritableReader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  number(): number {
    const first = this.#take(1).readInt8(0)
    if (first >= 0) return first
    const length = LONGER - first
    if (length < 1 || length > BYTES_MAX) throw malformed()
    let value = 0
    for (const byte of this.#take(length)) value = value * 256 + byte
    if (!Number.isSafeInteger(value)) throw malformed()
    return value
  }

  bytes(): Buffer {
    return this.#take(this.number())
  }

  text(): string {
    return this.bytes().toString('utf8')
  }

  #take(length: number): Buffer {
    const end = this.#at + length
    if (end > this.#bytes.length) throw malformed()
    const taken = this.#bytes.subarray(this.#at, end)
    this.#at = end
    return taken
  }
}

/** A number from 0 to 2^53. */
export function writableNumber(value: number): Buffer {
  if (value <= ONE_BYTE_MAX) return Buffer.of(value)
  const digits: number[] = []
  for (let rest = value; rest > 0; rest = Math.floor(rest / 256)) digits.unshift(rest % 256)
  return Buffer.of((LONGER - digits.length) & 0xff, ...digits)
}

export function writableBytes(bytes: Buffer): Buffer {
  return Buffer.concat([writableNumber(bytes.length), bytes])
}

export function writableText(text: string): Buffer {
  return writableBytes(Buffer.from(text))
}

function malformed(): HBaseError {
  return new HBaseError('ILLEGAL_ARGUMENT', 'the token is malformed')
}
