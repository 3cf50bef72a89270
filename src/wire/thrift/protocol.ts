/** What Thrift's binary and compact protocols have in common. */

import type { ViewedBytes } from '../../model/viewed-bytes.ts'
import type { Output } from './output.ts'

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

/** The bytes are not what the protocol asks for. Java's TProtocolException and TTransportException. */
export class ThriftProtocolError extends Error {
  override readonly name = 'ThriftProtocolError'
  readonly kind: ProtocolErrorKind

  constructor(kind: ProtocolErrorKind, message: string) {
    super(message)
    this.kind = kind
  }
}

/**
 * Reads one message from a Buffer. What a call yields besides its result stands in the fields until the next call, so
 * that nothing is allocated for it. Every size is checked against the bytes that are left before anything is made of it.
 */
export interface ProtocolReader {
  readonly buffer: Buffer
  /** The same bytes, for copies. */
  readonly viewed: ViewedBytes
  position: number
  readonly limit: number

  /** Of the last message, field, list and map that was begun. */
  messageType: number
  sequenceId: number
  fieldId: number
  elementType: number
  keyType: number
  valueType: number
  /** Where the last span begins in `buffer`. */
  spanStart: number
  /** The halves of the last 64-bit integer. */
  high: number
  low: number

  /** How many structs are open. */
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
  /** Back to the begin of a value that began here, in this depth. */
  rewind(position: number, depth: number): void
}

/** Writes to an Output. */
export interface ProtocolWriter {
  /** Where the binary protocol's bytes go, for what is written without a call a field; undefined in another protocol. */
  readonly binaryOutput: Output | undefined
  /** Says that some `bytes` will be written soon, so that the output grows once. */
  reserve(bytes: number): void
  writeMessageBegin(name: string, type: number, sequenceId: number): void
  writeStructBegin(): void
  /** The STOP of its fields included. */
  writeStructEnd(): void
  writeFieldBegin(type: number, id: number): void
  /** A whole field: the compact protocol keeps a bool in the field's head. */
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
  /** The length of a binary whose bytes follow in pieces: writeBytes. */
  writeLength(length: number): void
  writeBytes(source: ViewedBytes, start: number, length: number): void
}
