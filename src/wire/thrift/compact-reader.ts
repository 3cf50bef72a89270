import { EMPTY } from '../../model/bytes.ts'
import { timestampOf } from '../../model/timestamp.ts'
import { ViewedBytes } from '../../model/viewed-bytes.ts'
import { underflow } from './binary-reader.ts'
import { COMPACT_PROTOCOL_ID, COMPACT_VERSION, CompactType, wireTypeOf } from './compact-types.ts'
import { type ProtocolReader, ThriftProtocolError, tooManyElements, WireType } from './protocol.ts'
import { skipValue } from './skip-value.ts'

/** Thrift's compact protocol. Returns types as the binary protocol numbers them. */
export class CompactReader implements ProtocolReader {
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
  /** Field ids are deltas: the last ids of the structs around this one. */
  readonly #outerFieldIds: number[]
  /** CompactType of the bool in the last field's head; 0: none. */
  #boolOfField = 0

  constructor(depthMax: number, elementsMax: number = Number.POSITIVE_INFINITY) {
    this.#depthMax = depthMax
    this.#elementsMax = elementsMax
    this.#outerFieldIds = Array.from({ length: depthMax + 1 }, () => 0)
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
    this.fieldId = 0
    this.depth = 0
    this.#elements = 0
    this.#boolOfField = 0
  }

  readMessageBegin(): string {
    const id = this.#byte()
    const head = this.#byte()
    if (id !== COMPACT_PROTOCOL_ID || (head & 0x1f) !== COMPACT_VERSION) {
      throw new ThriftProtocolError('BAD_VERSION', 'Bad version in readMessageBegin')
    }
    this.messageType = head >>> 5
    this.sequenceId = this.#varint()
    const length = this.readSpan()
    return this.buffer.toString('latin1', this.spanStart, this.spanStart + length)
  }

  readStructBegin(): void {
    if (this.depth >= this.#depthMax) {
      throw new ThriftProtocolError('DEPTH_LIMIT', 'structs are nested too deeply')
    }
    this.#outerFieldIds[this.depth++] = this.fieldId
    this.fieldId = 0
  }

  readStructEnd(): void {
    this.fieldId = this.#outerFieldIds[--this.depth]!
  }

  readFieldBegin(): number {
    const head = this.#byte()
    const type = head & 0x0f
    if (type === 0) return WireType.STOP
    const delta = head >>> 4
    if (delta === 0) this.fieldId = this.readI16()
    else this.fieldId = ((this.fieldId + delta) << 16) >> 16
    if (type <= CompactType.BOOL_FALSE) this.#boolOfField = type
    return wireTypeOf(type)
  }

  readListBegin(): number {
    const head = this.#byte()
    const short = head >>> 4
    const count = short === 15 ? this.#varint() : short
    if (count === 0) return 0
    this.elementType = wireTypeOf(head & 0x0f)
    return this.#checkCount(count, this.elementType === WireType.DOUBLE ? 8 : 1)
  }

  readMapBegin(): number {
    const count = this.#checkCount(this.#varint(), 2)
    if (count === 0) return 0
    const types = this.#byte()
    this.keyType = wireTypeOf(types >>> 4)
    this.valueType = wireTypeOf(types & 0x0f)
    return count
  }

  readBool(): boolean {
    const type = this.#boolOfField
    if (type === 0) return this.#byte() === CompactType.BOOL_TRUE
    this.#boolOfField = 0
    return type === CompactType.BOOL_TRUE
  }

  readI8(): number {
    return (this.#byte() << 24) >> 24
  }

  readI16(): number {
    return (this.readI32() << 16) >> 16
  }

  readI32(): number {
    const zigzag = this.#varint()
    return (zigzag >>> 1) ^ -(zigzag & 1)
  }

  readI64(): bigint {
    this.readI64Halves()
    return timestampOf(this.high, this.low)
  }

  readI64Halves(): void {
    let low = 0
    let high = 0
    let shift = 0
    for (;;) {
      const byte = this.#byte()
      const bits = byte & 0x7f
      if (shift < 28) low |= bits << shift
      else if (shift === 28) {
        low |= bits << 28
        high = bits >>> 4
      } else high |= bits << (shift - 32)
      if (byte < 0x80) break
      shift += 7
      if (shift > 63) throw new ThriftProtocolError('INVALID_DATA', 'a varint of more than 10 bytes')
    }
    const sign = -(low & 1)
    this.low = ((low >>> 1) | (high << 31)) ^ sign
    this.high = (high >>> 1) ^ sign
  }

  readDouble(): number {
    if (this.limit - this.position < 8) throw underflow(8)
    const { position } = this
    this.position = position + 8
    return this.buffer.readDoubleLE(position)
  }

  readSpan(): number {
    const length = this.#varint()
    if (length < 0) throw new ThriftProtocolError('NEGATIVE_SIZE', `Negative length: ${length}`)
    if (length > this.limit - this.position) throw underflow(length)
    this.spanStart = this.position
    this.position += length
    return length
  }

  skip(type: number): void {
    skipValue(this, type, this.#depthMax)
  }

  rewind(position: number, depth: number): void {
    if (this.depth > depth) this.fieldId = this.#outerFieldIds[depth]!
    this.#boolOfField = 0
    this.position = position
    this.depth = depth
    // Bytes that were read are read again.
    this.#elements = 0
  }

  #checkCount(count: number, bytesMin: number): number {
    if (count < 0) throw new ThriftProtocolError('NEGATIVE_SIZE', `Negative length: ${count}`)
    if (count * bytesMin > this.limit - this.position) throw underflow(count * bytesMin)
    this.#elements += count
    if (this.#elements > this.#elementsMax) throw tooManyElements(this.#elementsMax)
    return count
  }

  #byte(): number {
    if (this.position >= this.limit) throw underflow(1)
    return this.buffer[this.position++]!
  }

  /** 32 bits, signed. Drops further bits, as Java does. */
  #varint(): number {
    let value = 0
    let shift = 0
    for (;;) {
      const byte = this.#byte()
      if (shift < 32) value |= (byte & 0x7f) << shift
      if (byte < 0x80) return value
      shift += 7
      if (shift > 63) throw new ThriftProtocolError('INVALID_DATA', 'a varint of more than 10 bytes')
    }
  }
}
