import { copyBytes, writeInt32 } from '../../model/bytes.ts'
import { timestampHigh, timestampLow } from '../../model/timestamp.ts'
import { copyViewed, type ViewedBytes } from '../../model/viewed-bytes.ts'
import type { Output } from './output.ts'
import type { ProtocolWriter } from './protocol.ts'

/** Thrift's binary protocol, strict. */
export class BinaryWriter implements ProtocolWriter {
  readonly binaryOutput: Output
  readonly #output: Output

  constructor(output: Output) {
    this.binaryOutput = output
    this.#output = output
  }

  reserve(bytes: number): void {
    this.#output.reserve(bytes)
  }

  writeMessageBegin(name: string, type: number, sequenceId: number): void {
    this.writeI32(0x8001_0000 | type)
    this.writeText(name)
    this.writeI32(sequenceId)
  }

  writeStructBegin(): void {}

  writeStructEnd(): void {
    this.writeI8(0)
  }

  writeFieldBegin(type: number, id: number): void {
    const output = this.#output
    const at = output.reserve(3)
    const { buffer } = output
    buffer[at] = type
    buffer[at + 1] = id >>> 8
    buffer[at + 2] = id
    output.length = at + 3
  }

  writeBoolField(id: number, value: boolean): void {
    this.writeFieldBegin(2, id)
    this.writeBool(value)
  }

  writeListBegin(elementType: number, count: number): void {
    const output = this.#output
    const at = output.reserve(5)
    output.buffer[at] = elementType
    writeInt32(output.buffer, at + 1, count)
    output.length = at + 5
  }

  writeMapBegin(keyType: number, valueType: number, count: number): void {
    const output = this.#output
    const at = output.reserve(6)
    output.buffer[at] = keyType
    output.buffer[at + 1] = valueType
    writeInt32(output.buffer, at + 2, count)
    output.length = at + 6
  }

  writeBool(value: boolean): void {
    this.writeI8(value ? 1 : 0)
  }

  writeI8(value: number): void {
    const output = this.#output
    const at = output.reserve(1)
    output.buffer[at] = value
    output.length = at + 1
  }

  writeI16(value: number): void {
    const output = this.#output
    const at = output.reserve(2)
    output.buffer[at] = value >>> 8
    output.buffer[at + 1] = value
    output.length = at + 2
  }

  writeI32(value: number): void {
    const output = this.#output
    const at = output.reserve(4)
    writeInt32(output.buffer, at, value)
    output.length = at + 4
  }

  writeI64(value: bigint): void {
    this.writeI64Halves(timestampHigh(value), timestampLow(value))
  }

  writeI64Halves(high: number, low: number): void {
    const output = this.#output
    const at = output.reserve(8)
    writeInt32(output.buffer, at, high)
    writeInt32(output.buffer, at + 4, low)
    output.length = at + 8
  }

  writeDouble(value: number): void {
    const output = this.#output
    const at = output.reserve(8)
    output.buffer.writeDoubleBE(value, at)
    output.length = at + 8
  }

  writeText(value: string): void {
    const length = Buffer.byteLength(value)
    const output = this.#output
    const at = output.reserve(4 + length)
    writeInt32(output.buffer, at, length)
    output.buffer.write(value, at + 4, length, 'utf8')
    output.length = at + 4 + length
  }

  writeBinary(value: Buffer): void {
    const output = this.#output
    const at = output.reserve(4 + value.length)
    writeInt32(output.buffer, at, value.length)
    output.length = copyBytes(value, output.buffer, at + 4)
  }

  writeSpan(source: ViewedBytes, start: number, length: number): void {
    const output = this.#output
    const at = output.reserve(4 + length)
    writeInt32(output.buffer, at, length)
    output.length = copyViewed(source, start, length, output.viewed, at + 4)
  }

  writeLength(length: number): void {
    this.writeI32(length)
  }

  writeBytes(source: ViewedBytes, start: number, length: number): void {
    const output = this.#output
    const at = output.reserve(length)
    output.length = copyViewed(source, start, length, output.viewed, at)
  }
}
