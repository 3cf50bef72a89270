import { EMPTY, readInt32 } from '../../model/bytes.ts'
import { timestampOf } from '../../model/timestamp.ts'
import { ViewedBytes } from '../../model/viewed-bytes.ts'
import { type ProtocolReader, ThriftProtocolError, tooManyElements, WireType } from './protocol.ts'
import { skipValue } from './skip-value.ts'

/** The first half of a strict message's head; its low byte is the message's type. */
const VERSION = 0x8001_0000 | 0
const VERSION_MASK = 0xffff_0000 | 0

/** The fewest bytes of an element, by its wire type; 0 where no type has the number. */
export const BINARY_BYTES_MIN: readonly number[] = [0, 0, 1, 1, 8, 0, 2, 0, 4, 0, 8, 4, 1, 6, 5, 5]

/** Thrift's binary protocol, strict and old. */
export class BinaryReader implements ProtocolReader {
  buffer: Buffer = EMPTY
  position = 0
  limit = 0
  messageType = 0
  sequenceId = 0
  fieldId = 0
  elementType = 0
  keyType = 0
  valueType = 0
  spanStart = 0
  high = 0
  low = 0
  depth = 0
  readonly #depthMax: number
  readonly #elementsMax: number
  /** Elements of the lists and maps so far. */
  #elements = 0
  /** Made on demand: small messages need none. */
  #viewed: ViewedBytes | undefined

  constructor(depthMax: number, elementsMax: number = Number.POSITIVE_INFINITY) {
    this.#depthMax = depthMax
    this.#elementsMax = elementsMax
  }

  get viewed(): ViewedBytes {
    this.#viewed ??= new ViewedBytes(this.buffer)
    return this.#viewed
  }

  reset(buffer: Buffer, position: number, limit: number): void {
    this.buffer = buffer
    this.#viewed = undefined
    this.position = position
    this.limit = limit
    this.depth = 0
    this.#elements = 0
  }

  readMessageBegin(): string {
    const first = this.readI32()
    let length = first
    if (first < 0) {
      if ((first & VERSION_MASK) !== VERSION) {
        throw new ThriftProtocolError('BAD_VERSION', 'Bad version in readMessageBegin')
      }
      this.messageType = first & 0xff
      length = this.readSpan()
    } else {
      this.#need(length)
      this.spanStart = this.position
      this.position += length
    }
    const name = this.buffer.toString('latin1', this.spanStart, this.spanStart + length)
    if (first >= 0) this.messageType = this.readI8()
    this.sequenceId = this.readI32()
    return name
  }

  readStructBegin(): void {
    if (++this.depth > this.#depthMax) {
      throw new ThriftProtocolError('DEPTH_LIMIT', 'structs are nested too deeply')
    }
  }

  readStructEnd(): void {
    this.depth--
  }

  readFieldBegin(): number {
    const { buffer, position } = this
    if (position >= this.limit) throw underflow(1)
    const type = buffer[position]!
    if (type === WireType.STOP) {
      this.position = position + 1
      return type
    }
    if (position + 3 > this.limit) throw underflow(3)
    this.fieldId = ((buffer[position + 1]! << 24) >> 16) | buffer[position + 2]!
    this.position = position + 3
    return type
  }

  readListBegin(): number {
    const { buffer, position } = this
    if (position + 5 > this.limit) throw underflow(5)
    const type = buffer[position]!
    const count = readInt32(buffer, position + 1)
    this.elementType = type
    this.position = position + 5
    if (count !== 0) this.#checkCount(count, BINARY_BYTES_MIN[type] ?? 0)
    return count
  }

  readMapBegin(): number {
    this.#need(2)
    this.keyType = this.buffer[this.position++]!
    this.valueType = this.buffer[this.position++]!
    const least = (BINARY_BYTES_MIN[this.keyType] ?? 0) + (BINARY_BYTES_MIN[this.valueType] ?? 0)
    const count = this.readI32()
    if (count !== 0) this.#checkCount(count, least)
    return count
  }

  readBool(): boolean {
    const { position } = this
    if (position >= this.limit) throw underflow(1)
    this.position = position + 1
    return this.buffer[position] === 1
  }

  readI8(): number {
    this.#need(1)
    return (this.buffer[this.position++]! << 24) >> 24
  }

  readI16(): number {
    this.#need(2)
    const { buffer, position } = this
    this.position = position + 2
    return ((buffer[position]! << 24) >> 16) | buffer[position + 1]!
  }

  readI32(): number {
    this.#need(4)
    const { position } = this
    this.position = position + 4
    return readInt32(this.buffer, position)
  }

  readI64(): bigint {
    this.readI64Halves()
    return timestampOf(this.high, this.low)
  }

  readI64Halves(): void {
    const { buffer, position } = this
    if (position + 8 > this.limit) throw underflow(8)
    this.high = readInt32(buffer, position)
    this.low = readInt32(buffer, position + 4)
    this.position = position + 8
  }

  readDouble(): number {
    this.#need(8)
    const { position } = this
    this.position = position + 8
    return this.buffer.readDoubleBE(position)
  }

  readSpan(): number {
    const start = this.position + 4
    if (start > this.limit) throw underflow(4)
    const length = readInt32(this.buffer, start - 4)
    if (length < 0) throw new ThriftProtocolError('NEGATIVE_SIZE', `Negative length: ${length}`)
    if (length > this.limit - start) throw underflow(length)
    this.spanStart = start
    this.position = start + length
    return length
  }

  skip(type: number): void {
    skipValue(this, type, this.#depthMax)
  }

  rewind(position: number, depth: number): void {
    this.position = position
    this.depth = depth
    // Bytes that were read are read again.
    this.#elements = 0
  }

  #checkCount(count: number, bytesMin: number): void {
    if (count < 0) throw new ThriftProtocolError('NEGATIVE_SIZE', `Negative length: ${count}`)
    if (bytesMin === 0) throw new ThriftProtocolError('INVALID_DATA', 'unknown type of elements')
    if (count * bytesMin > this.limit - this.position) throw underflow(count * bytesMin)
    this.#elements += count
    if (this.#elements > this.#elementsMax) throw tooManyElements(this.#elementsMax)
  }

  #need(bytes: number): void {
    if (bytes > this.limit - this.position) throw underflow(bytes)
  }
}

export function underflow(bytes: number): ThriftProtocolError {
  return new ThriftProtocolError('UNDERFLOW', `the message ends where ${bytes} more bytes are due`)
}
