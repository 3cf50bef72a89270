/** Reads protobuf messages in place, field by field: the frequent ones, headers and answers of ClientService. */

import type { ElementCount } from '../../model/decode-limits.ts'
import { atOnce, type Steps } from '../../model/steps.ts'
import type { FieldReading } from './field-reading.ts'
import type { KnownWords } from './known-words.ts'
import { LONG_BYTES, LongValues, Unread } from './long-values.ts'

/** The bytes are not the expected message. */
export class MalformedMessage extends Error {
  override readonly name = 'MalformedMessage'
}

export const WireType = { Varint: 0, Fixed64: 1, LengthDelimited: 2, Fixed32: 5 } as const

/** Fields of a long message that are read in a step. */
const STEP_FIELDS = 256

function* pause(): Steps<void> {
  yield
}

/**
 * A window of a Buffer. `next()` moves to a field and sets `field` and `wireType`; then one of the readers, or
 * `skip()`, must take its value. A value of another wire type than its reader's is malformed.
 */
export class MessageReader {
  readonly buffer: Buffer
  at: number
  readonly end: number
  field = 0
  wireType = 0
  readonly #elements: ElementCount | undefined
  #longValues: LongValues | undefined

  /** `elements`: counts the messages within this one; left out: they are not limited. */
  constructor(buffer: Buffer, start = 0, end: number = buffer.length, elements?: ElementCount) {
    this.buffer = buffer
    this.at = start
    this.end = end
    this.#elements = elements
  }

  /** From now on `decoded` and `readInSteps` throw Unread for what is long, in the messages within this one too. */
  keepLongValues(): void {
    this.#longValues = new LongValues()
  }

  /** The value that a decoder makes of the bytes. */
  decoded<Value>(decode: (bytes: Buffer) => Steps<Value>): Value {
    const { at } = this
    const bytes = this.bytes()
    return this.#longValues === undefined ? atOnce(decode(bytes)) : this.#longValues.value(at, bytes, decode)
  }

  /** The message is long, and long values are kept. */
  get isReadInSteps(): boolean {
    return this.#longValues !== undefined && this.end - this.at > LONG_BYTES
  }

  /** Reads all fields in steps, of which the next reading goes on with those that are left. Only where `isReadInSteps`; throws Unread. */
  readInSteps<Reading extends FieldReading>(make: () => Reading): Reading {
    const values = this.#longValues!
    const begun = values.begun(this.at, make)
    const { reading } = begun
    this.at = begun.at
    for (let left = STEP_FIELDS; this.next(); ) {
      reading.take(this)
      begun.at = this.at
      if (--left === 0) throw new Unread(pause())
    }
    const last = begun.isSettled ? undefined : reading.settle?.()
    begun.isSettled = true
    if (last !== undefined) throw new Unread(last)
    return reading
  }

  /** Counts an element that is no message. Throws TOO_LARGE above the limit. */
  countElement(): void {
    this.#elements?.add()
  }

  next(): boolean {
    if (this.at >= this.end) return false
    const tag = this.#varint()
    this.field = tag >>> 3
    this.wireType = tag & 7
    if (this.field === 0) throw this.#malformed('field 0')
    return true
  }

  uint32(): number {
    this.#expect(WireType.Varint)
    return this.#varint()
  }

  int32(): number {
    return this.uint32() | 0
  }

  bool(): boolean {
    return this.uint32() !== 0
  }

  uint64(): bigint {
    this.#expect(WireType.Varint)
    let value = 0n
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#byte()
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return BigInt.asUintN(64, value)
    }
    throw this.#malformed('a number of more than ten bytes')
  }

  /** The bytes in place: a view that keeps the whole received chunk alive. */
  bytes(): Buffer {
    const end = this.#valueEnd()
    const bytes = this.buffer.subarray(this.at, end)
    this.at = end
    return bytes
  }

  string(): string {
    const end = this.#valueEnd()
    const text = this.buffer.toString('utf8', this.at, end)
    this.at = end
    return text
  }

  /** As `string`, for a text that most likely came before. */
  word(words: KnownWords): string {
    const end = this.#valueEnd()
    const text = words.text(this.buffer, this.at, end)
    this.at = end
    return text
  }

  /** Moves behind the bytes and returns their length: they end at `at`. */
  passBytes(): number {
    const end = this.#valueEnd()
    const length = end - this.at
    this.at = end
    return length
  }

  /** A reader of the message that this field holds. Throws TOO_LARGE where they are too many. */
  message(): MessageReader {
    const end = this.#valueEnd()
    this.#elements?.add()
    const inner = new MessageReader(this.buffer, this.at, end, this.#elements)
    inner.#longValues = this.#longValues
    this.at = end
    return inner
  }

  /** A message behind its length, outside any field. */
  delimited(): MessageReader {
    const length = this.#varint()
    if (length > this.end - this.at) throw this.#malformed(`a message of ${length} bytes`)
    const inner = new MessageReader(this.buffer, this.at, this.at + length)
    this.at += length
    return inner
  }

  /** As `delimited`; a length beyond the end, where the end is known by itself, is that of all the rest. */
  delimitedOrRest(): MessageReader {
    const length = Math.min(this.#varint(), this.end - this.at)
    const inner = new MessageReader(this.buffer, this.at, this.at + length)
    this.at += length
    return inner
  }

  /** One number of a repeated field, or all of them where they are packed. */
  uint32s(into: number[]): void {
    if (this.wireType !== WireType.LengthDelimited) {
      into.push(this.uint32())
      this.#likeIt(into)
      return
    }
    const end = this.#valueEnd()
    while (this.at < end) into.push(this.#varint())
    if (this.at > end) throw this.#malformed('a packed field')
  }

  /** Fast path: more values of the same field, while tag and number take a byte each, as counts and flags of results do. */
  #likeIt(into: number[]): void {
    const { buffer, end } = this
    const tag = (this.field << 3) | WireType.Varint
    let { at } = this
    while (at + 1 < end && buffer[at] === tag && buffer[at + 1]! < 0x80) {
      into.push(buffer[at + 1]!)
      at += 2
    }
    this.at = at
  }

  skip(): void {
    switch (this.wireType) {
      case WireType.Varint:
        this.#varint()
        return
      case WireType.Fixed64:
        this.#advance(8)
        return
      case WireType.Fixed32:
        this.#advance(4)
        return
      case WireType.LengthDelimited:
        this.at = this.#valueEnd()
        return
      default:
        throw this.#malformed(`wire type ${this.wireType}`)
    }
  }

  #valueEnd(): number {
    this.#expect(WireType.LengthDelimited)
    const length = this.#varint()
    if (length > this.end - this.at) throw this.#malformed(`a value of ${length} bytes`)
    return this.at + length
  }

  #advance(bytes: number): void {
    if (bytes > this.end - this.at) throw this.#malformed(`a value of ${bytes} bytes`)
    this.at += bytes
  }

  #expect(wireType: number): void {
    if (this.wireType !== wireType) throw this.#malformed(`wire type ${this.wireType} of field ${this.field}`)
  }

  /** The low 32 bits, unsigned: a negative int32 has ten bytes. */
  #varint(): number {
    let value = this.#byte()
    if (value < 0x80) return value
    value &= 0x7f
    for (let shift = 7; shift < 70; shift += 7) {
      const byte = this.#byte()
      if (shift < 32) value |= (byte & 0x7f) << shift
      if (byte < 0x80) return value >>> 0
    }
    throw this.#malformed('a number of more than ten bytes')
  }

  #byte(): number {
    if (this.at >= this.end) throw this.#malformed('its end within a field')
    return this.buffer[this.at++]!
  }

  #malformed(what: string): MalformedMessage {
    return new MalformedMessage(`malformed protobuf at byte ${this.at}: ${what}`)
  }
}
