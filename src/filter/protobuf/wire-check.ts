/**
 * Checks that bytes are a message, as strictly as Java's protobuf runtime and with its messages. JavaScript's runtime
 * misreads a value of another wire type than its field's, and words its errors differently.
 */

import { type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf'

const WireType = {
  Varint: 0,
  Fixed64: 1,
  LengthDelimited: 2,
  StartGroup: 3,
  EndGroup: 4,
  Fixed32: 5,
} as const

const TRUNCATED =
  'While parsing a protocol message, the input ended unexpectedly in the middle of a field.  This could mean either ' +
  'that the input has been truncated or that an embedded message misreported its own length.'
const TOO_DEEP =
  'Protocol message had too many levels of nesting.  May be malicious.  Use setRecursionLimit() to increase the ' +
  'recursion depth limit.'
const GROUPS_MAX = 100
const VARINT_BYTES_MAX = 10

/** The Java package of the runtime: HBase's shaded one, or the old one beside it. */
export type ProtobufRuntime = 'org.apache.hbase.thirdparty.com.google.protobuf' | 'com.google.protobuf'

/** The error for bytes that are no message, with the words of Java's InvalidProtocolBufferException. */
export class InvalidMessage extends Error {
  override readonly name = 'InvalidMessage'
  readonly #subclass: string

  constructor(message: string, subclass = '') {
    super(message)
    this.#subclass = subclass
  }

  /** Java: Throwable.toString, for a runtime in this package. */
  inJava(runtime: ProtobufRuntime): string {
    return `${runtime}.InvalidProtocolBufferException${this.#subclass}: ${this.message}`
  }
}

/** The error lists so many missing fields: a list of a million empty messages lacks millions. */
export const MISSING_NAMES_MAX = 1000

export function missingFields(names: readonly string[]): InvalidMessage {
  const listed = names.slice(0, MISSING_NAMES_MAX).join(', ')
  const more = names.length > MISSING_NAMES_MAX ? ', ...' : ''
  return new InvalidMessage(`Message missing required fields: ${listed}${more}`)
}

/** Throws InvalidMessage. */
export function checkWire(schema: DescMessage, bytes: Uint8Array): void {
  const strays = strayFields(schema, bytes)
  // Java skips these fields and then misses the required ones. Tidegate refuses optional ones too, which no client sends
  // so.
  if (strays.length > 0) throw missingFields(strays)
}

/** The names of fields whose value has another wire type than theirs. Throws InvalidMessage. */
export function strayFields(schema: DescMessage, bytes: Uint8Array): readonly string[] {
  const strays: string[] = []
  new WireCheck(bytes, 0, bytes.length, strays).message(schema)
  return strays
}

class WireCheck {
  readonly #bytes: Uint8Array
  readonly #end: number
  /** The names of fields whose value has another wire type than theirs. */
  readonly #strays: string[]
  #at: number

  constructor(bytes: Uint8Array, start: number, end: number, strays: string[]) {
    this.#strays = strays
    this.#bytes = bytes
    this.#at = start
    this.#end = end
  }

  message(schema: DescMessage): void {
    while (this.#at < this.#end) {
      const tag = this.#tag()
      const field = schema.fields.find(({ number }) => number === tag >>> 3)
      const wireType = tag & 7
      if (wireType === WireType.EndGroup) throw unexpectedEndGroup()
      if (field === undefined) {
        this.#skip(tag, 0)
        continue
      }
      const start = this.#skip(tag, 0)
      if (!isWireTypeOf(field, wireType)) {
        if (!this.#strays.includes(field.name)) this.#strays.push(field.name)
      } else if (field.message !== undefined) {
        new WireCheck(this.#bytes, start, this.#at, this.#strays).message(field.message)
      } else if (isPacked(field, wireType)) {
        new WireCheck(this.#bytes, start, this.#at, this.#strays).varints()
      }
    }
  }

  /** The elements of a packed list. */
  varints(): void {
    while (this.#at < this.#end) this.#varint()
  }

  #tag(): number {
    const tag = this.#varint()
    if (tag >>> 3 === 0) throw new InvalidMessage('Protocol message contained an invalid tag (zero).')
    return tag
  }

  /** Moves past a value; returns where it began, without its length. */
  #skip(tag: number, groups: number): number {
    const wireType = tag & 7
    let start = this.#at
    if (wireType === WireType.Varint) {
      this.#varint()
    } else if (wireType === WireType.Fixed64) {
      this.#advance(8)
    } else if (wireType === WireType.Fixed32) {
      this.#advance(4)
    } else if (wireType === WireType.LengthDelimited) {
      const length = this.#varint()
      start = this.#at
      this.#advance(length | 0)
    } else if (wireType === WireType.StartGroup) {
      this.#group(tag >>> 3, groups + 1)
    } else {
      throw new InvalidMessage('Protocol message tag had invalid wire type.', '$InvalidWireTypeException')
    }
    return start
  }

  #group(number: number, groups: number): void {
    if (groups > GROUPS_MAX) throw new InvalidMessage(TOO_DEEP)
    while (this.#at < this.#end) {
      const tag = this.#tag()
      const wireType = tag & 7
      if (wireType === WireType.EndGroup) {
        if (tag >>> 3 !== number) throw unexpectedEndGroup()
        return
      }
      this.#skip(tag, groups)
    }
    throw unexpectedEndGroup()
  }

  /** The low 32 bits. */
  #varint(): number {
    let value = 0
    for (let i = 0; i < VARINT_BYTES_MAX; i++) {
      if (this.#at >= this.#end) throw new InvalidMessage(TRUNCATED)
      const byte = this.#bytes[this.#at++]!
      if (i < 5) value |= (byte & 0x7f) << (7 * i)
      if (byte < 0x80) return value >>> 0
    }
    throw new InvalidMessage('CodedInputStream encountered a malformed varint.')
  }

  #advance(length: number): void {
    if (length < 0) {
      const words =
        'CodedInputStream encountered an embedded string or message which claimed to have negative size.'
      throw new InvalidMessage(words)
    }
    if (length > this.#end - this.#at) throw new InvalidMessage(TRUNCATED)
    this.#at += length
  }
}

/** True for a packed list. Only one of HBase's filters has a list of numbers, and they are varints. */
function isPacked(field: DescField, wireType: number): boolean {
  const isText = field.scalar === ScalarType.STRING || field.scalar === ScalarType.BYTES
  return field.fieldKind === 'list' && wireType === WireType.LengthDelimited && !isText
}

function unexpectedEndGroup(): InvalidMessage {
  return new InvalidMessage('Protocol message end-group tag did not match expected tag.')
}

function isWireTypeOf(field: DescField, wireType: number): boolean {
  if (field.message !== undefined) return wireType === WireType.LengthDelimited
  if (field.fieldKind === 'list' && wireType === WireType.LengthDelimited) return true
  if (field.enum !== undefined) return wireType === WireType.Varint
  if (field.scalar === ScalarType.STRING || field.scalar === ScalarType.BYTES) {
    return wireType === WireType.LengthDelimited
  }
  return wireType === (field.scalar === ScalarType.FLOAT ? WireType.Fixed32 : WireType.Varint)
}
