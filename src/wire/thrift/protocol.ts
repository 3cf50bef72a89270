/** Interfaces of Thrift's binary and compact protocols. */

import type { ViewedBytes } from '../../model/viewed-bytes.ts'
import type { Output } from './output.ts'

/** A protocol that clients may choose: binary (strict or old), or compact. */
export type ProtocolName = 'binary' | 'compact'

/** Types as the binary protocol numbers them. PERSISTED: never renumber. */
export const WireType = {
  STOP: 0,
  BOOL: 2,
  I8: 3,
  DOUBLE: 4,
  I16: 6,
  I32: 8,
  I64: 10,
  STRING: 11,
  STRUCT: 12,
  MAP: 13,
  SET: 14,
  LIST: 15,
} as const

/** PERSISTED: never renumber. */
export const MessageType = { CALL: 1, REPLY: 2, EXCEPTION: 3, ONEWAY: 4 } as const

export type ProtocolErrorKind =
  | 'BAD_VERSION'
  | 'DEPTH_LIMIT'
  | 'INVALID_DATA'
  | 'NEGATIVE_SIZE'
  | 'SIZE_LIMIT'
  /** The bytes end inside the message. */
  | 'UNDERFLOW'

/** The bytes break the protocol's rules. Java's TProtocolException and TTransportException. */
export class ThriftProtocolError extends Error {
  override readonly name = 'ThriftProtocolError'
  readonly kind: ProtocolErrorKind

  constructor(kind: ProtocolErrorKind, message: string) {
    super(message)
    this.kind = kind
  }
}

/** The error for lists and maps that have more elements together. */
export function tooManyElements(max: number): ThriftProtocolError {
  return new ThriftProtocolError('SIZE_LIMIT', `a message of more than ${max} list elements`)
}

/**
 * Reads one message from a Buffer. A call leaves its further results in the fields until the next call, so that it
 * allocates nothing for them. Each size is checked against the remaining bytes before anything of that size is allocated.
 */
export interface ProtocolReader {
  readonly buffer: Buffer
  /** The same bytes, for copies. */
  readonly viewed: ViewedBytes
  position: number
  readonly limit: number

  /** Heads of the last message, field, list and map. */
  messageType: number
  sequenceId: number
  fieldId: number
  elementType: number
  keyType: number
  valueType: number
  /** Offset of the last span in `buffer`. */
  spanStart: number
  /** The halves of the last 64-bit integer. */
  high: number
  low: number

  /** The number of open structs. */
  readonly depth: number

  /** Starts over on other bytes. */
  reset(buffer: Buffer, position: number, limit: number): void
  /** The method's name. */
  readMessageBegin(): string
  readStructBegin(): void
  readStructEnd(): void
  /** The field's type; STOP at the struct's end. */
  readFieldBegin(): number
  /** The number of elements. Their type means nothing where there are none. */
  readListBegin(): number
  /** The number of pairs. The types mean nothing where there are none. */
  readMapBegin(): number
  readBool(): boolean
  readI8(): number
  readI16(): number
  readI32(): number
  readI64(): bigint
  /** The integer's halves, in `high` and `low`. */
  readI64Halves(): void
  readDouble(): number
  /** The length of a string or binary that begins at `spanStart`. */
  readSpan(): number
  skip(type: number): void
  /** Goes back to a value's begin, with the position and depth that the reader had there. */
  rewind(position: number, depth: number): void
}

/** Writes to an Output. */
export interface ProtocolWriter {
  /** The output, for code that writes the binary protocol without a call for each field; undefined in the compact one. */
  readonly binaryOutput: Output | undefined
  /** Makes room for about `bytes`, so that the output grows once. */
  reserve(bytes: number): void
  writeMessageBegin(name: string, type: number, sequenceId: number): void
  writeStructBegin(): void
  /** Writes the fields' STOP too. */
  writeStructEnd(): void
  writeFieldBegin(type: number, id: number): void
  /** Writes a whole field: the compact protocol keeps a bool in the field's head. */
  writeBoolField(id: number, value: boolean): void
  writeListBegin(elementType: number, count: number): void
  writeMapBegin(keyType: number, valueType: number, count: number): void
  writeBool(value: boolean): void
  writeI8(value: number): void
  writeI16(value: number): void
  writeI32(value: number): void
  writeI64(value: bigint): void
  writeI64Halves(high: number, low: number): void
  writeDouble(value: number): void
  writeText(value: string): void
  writeBinary(value: Buffer): void
  /** A binary of `length` bytes from source[start]. */
  writeSpan(source: ViewedBytes, start: number, length: number): void
  /** The length of a binary whose bytes follow in pieces, by writeBytes. */
  writeLength(length: number): void
  writeBytes(source: ViewedBytes, start: number, length: number): void
}
