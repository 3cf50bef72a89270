/** Fields of a protobuf message in the order of their numbers, each there once: how Java writes YARN's identifiers of tokens. */

import { HBaseError } from '../../model/errors.ts'

const VARINT = 0
const LENGTH_DELIMITED = 2
/** 7 bits in each: enough for 2^53. */
const VARINT_BYTES_MAX = 8

export function textField(number: number, text: string): Buffer {
  const bytes = Buffer.from(text)
  return Buffer.concat([Buffer.of((number << 3) | LENGTH_DELIMITED), varint(bytes.length), bytes])
}

/** `value`: from 0 to 2^53. */
export function numberField(number: number, value: number): Buffer {
  return Buffer.concat([Buffer.of((number << 3) | VARINT), varint(value)])
}

function varint(value: number): Buffer {
  const bytes: number[] = []
  let rest = value
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128)
  return Buffer.of(...bytes, rest)
}

/** Throws ILLEGAL_ARGUMENT for bytes that end early, for fields in another order, and for numbers beyond 2^53. */
export class YarnFields {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length
  }

  text(number: number): string {
    this.#tag(number, LENGTH_DELIMITED)
    const length = this.#varint()
    const end = this.#at + length
    if (end > this.#bytes.length) throw malformed()
    const text = this.#bytes.toString('utf8', this.#at, end)
    this.#at = end
    return text
  }

  number(number: number): number {
    this.#tag(number, VARINT)
    return this.#varint()
  }

  #tag(number: number, type: number): void {
    if (this.#byte() !== ((number << 3) | type)) throw malformed()
  }

  #varint(): number {
    let value = 0
    for (let index = 0, unit = 1; index < VARINT_BYTES_MAX; index++, unit *= 128) {
      const byte = this.#byte()
      value += (byte & 127) * unit
      if (byte > 127) continue
      if (!Number.isSafeInteger(value)) break
      return value
    }
    throw malformed()
  }

  #byte(): number {
    const byte = this.#bytes[this.#at++]
    if (byte === undefined) throw malformed()
    return byte
  }
}

function malformed(): HBaseError {
  return new HBaseError('ILLEGAL_ARGUMENT', 'the token is malformed')
}
