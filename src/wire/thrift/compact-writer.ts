import { copyBytes } from '../../model/bytes.ts'
import { timestampHigh, timestampLow } from '../../model/timestamp.ts'
import { copyViewed, type ViewedBytes } from '../../model/viewed-bytes.ts'
import { COMPACT_PROTOCOL_ID, COMPACT_VERSION, CompactType, compactTypeOf } from './compact-types.ts'
import type { Output } from './output.ts'
import type { ProtocolWriter } from './protocol.ts'

/** Largest size of a 64-bit varint. */
const VARINT_BYTES_MAX = 10

/** Thrift's compact protocol. */
export class CompactWriter implements ProtocolWriter {
  readonly binaryOutput = undefined
  readonly #output: Output
  /** Field ids are written as deltas: the last id of this struct, and of the structs around it. */
  #fieldId = 0
  readonly #outerFieldIds: number[] = []

  constructor(output: Output) {
    this.#output = output
  }

  reserve(bytes: number): void {
    this.#output.reserve(bytes)
  }

  writeMessageBegin(name: string, type: number, sequenceId: number): void {
    // A failed encoding may have left an id.
    this.#fieldId = 0
    this.#outerFieldIds.length = 0
    this.writeI8(COMPACT_PROTOCOL_ID)
    this.writeI8((type << 5) | COMPACT_VERSION)
    this.#writeVarint(sequenceId)
    this.writeText(name)
  }

  writeStructBegin(): void {
    this.#outerFieldIds.push(this.#fieldId)
    this.#fieldId = 0
  }

  writeStructEnd(): void {
    this.writeI8(0)
    this.#fieldId = this.#outerFieldIds.pop()!
  }

  writeFieldBegin(type: number, id: number): void {
    this.#writeFieldHead(compactTypeOf(type), id)
  }

  writeBoolField(id: number, value: boolean): void {
    this.#writeFieldHead(value ? CompactType.BOOL_TRUE : CompactType.BOOL_FALSE, id)
  }

  writeListBegin(elementType: number, count: number): void {
    const type = compactTypeOf(elementType)
    if (count < 15) {
      this.writeI8((count << 4) | type)
    } else {
      this.writeI8(0xf0 | type)
      this.#writeVarint(count)
    }
  }

  writeMapBegin(keyType: number, valueType: number, count: number): void {
    this.#writeVarint(count)
    if (count > 0) this.writeI8((compactTypeOf(keyType) << 4) | compactTypeOf(valueType))
  }

  writeBool(value: boolean): void {
    this.writeI8(value ? CompactType.BOOL_TRUE : CompactType.BOOL_FALSE)
  }

  writeI8(value: number): void {
    const output = this.#output
    const at = output.reserve(1)
    output.buffer[at] = value
    output.length = at + 1
  }

  writeI16(value: number): void {
    this.writeI32(value)
  }

  writeI32(value: number): void {
    this.#writeVarint((value << 1) ^ (value >> 31))
  }

  writeI64(value: bigint): void {
    this.writeI64Halves(timestampHigh(value), timestampLow(value))
  }

  writeI64Halves(high: number, low: number): void {
    const sign = high >> 31
    let restHigh = ((high << 1) | (low >>> 31)) ^ sign
    let rest = (low << 1) ^ sign
    const output = this.#output
    let at = output.reserve(VARINT_BYTES_MAX)
    const { buffer } = output
    while (restHigh !== 0) {
      buffer[at++] = rest | 0x80
      rest = (rest >>> 7) | (restHigh << 25)
      restHigh >>>= 7
    }
    output.length = varintAt(buffer, at, rest)
  }

  writeDouble(value: number): void {
    const output = this.#output
    const at = output.reserve(8)
    output.buffer.writeDoubleLE(value, at)
    output.length = at + 8
  }

  writeText(value: string): void {
    const length = Buffer.byteLength(value)
    this.#writeVarint(length)
    const output = this.#output
    const at = output.reserve(length)
    output.buffer.write(value, at, length, 'utf8')
    output.length = at + length
  }

  writeBinary(value: Buffer): void {
    const output = this.#output
    const at = output.reserve(VARINT_BYTES_MAX + value.length)
    const { buffer } = output
    output.length = copyBytes(value, buffer, varintAt(buffer, at, value.length))
  }

  writeSpan(source: ViewedBytes, start: number, length: number): void {
    const output = this.#output
    const at = output.reserve(VARINT_BYTES_MAX + length)
    const bytesAt = varintAt(output.buffer, at, length)
    output.length = copyViewed(source, start, length, output.viewed, bytesAt)
  }

  writeLength(length: number): void {
    this.#writeVarint(length)
  }

  writeBytes(source: ViewedBytes, start: number, length: number): void {
    const output = this.#output
    const at = output.reserve(length)
    output.length = copyViewed(source, start, length, output.viewed, at)
  }

  #writeFieldHead(type: number, id: number): void {
    const delta = id - this.#fieldId
    if (delta > 0 && delta <= 15) {
      this.writeI8((delta << 4) | type)
    } else {
      this.writeI8(type)
      this.writeI16(id)
    }
    this.#fieldId = id
  }

  #writeVarint(value: number): void {
    const output = this.#output
    const at = output.reserve(VARINT_BYTES_MAX)
    output.length = varintAt(output.buffer, at, value)
  }
}

/** Returns the offset after the varint of the 32 bits of `value`. */
function varintAt(buffer: Buffer, offset: number, value: number): number {
  let at = offset
  let rest = value
  while ((rest & ~0x7f) !== 0) {
    buffer[at++] = rest | 0x80
    rest >>>= 7
  }
  buffer[at++] = rest
  return at
}
