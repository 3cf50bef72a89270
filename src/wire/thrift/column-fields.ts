import { FAMILY_BYTES_MAX } from '../../model/cell.ts'
import { LATEST_HIGH, LATEST_LOW } from '../../model/timestamp.ts'
import { type ProtocolReader, WireType } from './protocol.ts'

const COLON = 0x3a

/**
 * The fields of the last read Mutation or TColumnValue, as offsets in the message; -1: not sent. One object serves many
 * cells, so that a cell needs no object of its own.
 */
export class ColumnFields {
  familyStart = -1
  familyLength = 0
  qualifierStart = -1
  qualifierLength = 0
  valueStart = -1
  valueLength = 0
  isDelete = false
  isLogged = true
  hasTimestamp = false
  high: number = LATEST_HIGH
  low: number = LATEST_LOW

  /** Reads a Mutation. The family's offset and length are those of the whole column name until `splitColumn`. */
  readMutation(reader: ProtocolReader): void {
    this.#clear()
    reader.readStructBegin()
    for (;;) {
      const type = reader.readFieldBegin()
      if (type === WireType.STOP) break
      const id = reader.fieldId
      if (id === 2 && type === WireType.STRING) {
        this.familyLength = reader.readSpan()
        this.familyStart = reader.spanStart
      } else if (id === 3 && type === WireType.STRING) {
        this.valueLength = reader.readSpan()
        this.valueStart = reader.spanStart
      } else if (id === 1 && type === WireType.BOOL) {
        this.isDelete = reader.readBool()
      } else if (id === 4 && type === WireType.BOOL) {
        this.isLogged = reader.readBool()
      } else {
        reader.skip(type)
      }
    }
    reader.readStructEnd()
  }

  /** Splits the name at its first colon; without one it is all family. Returns false for an illegal family. */
  splitColumn(buffer: Buffer): boolean {
    const start = this.familyStart
    const end = start + this.familyLength
    let colon = start
    while (colon < end && buffer[colon] !== COLON) colon++
    if (colon < end) {
      this.qualifierStart = colon + 1
      this.qualifierLength = end - colon - 1
      this.familyLength = colon - start
    } else {
      this.qualifierLength = 0
    }
    return this.familyLength > 0 && this.familyLength <= FAMILY_BYTES_MAX
  }

  /** Reads a TColumnValue. */
  readColumnValue(reader: ProtocolReader): void {
    this.#clear()
    reader.readStructBegin()
    for (;;) {
      const type = reader.readFieldBegin()
      if (type === WireType.STOP) break
      const id = reader.fieldId
      if (id === 1 && type === WireType.STRING) {
        this.familyLength = reader.readSpan()
        this.familyStart = reader.spanStart
      } else if (id === 2 && type === WireType.STRING) {
        this.qualifierLength = reader.readSpan()
        this.qualifierStart = reader.spanStart
      } else if (id === 3 && type === WireType.STRING) {
        this.valueLength = reader.readSpan()
        this.valueStart = reader.spanStart
      } else if (id === 4 && type === WireType.I64) {
        reader.readI64Halves()
        this.hasTimestamp = true
        this.high = reader.high
        this.low = reader.low
      } else {
        reader.skip(type)
      }
    }
    reader.readStructEnd()
  }

  #clear(): void {
    this.familyStart = -1
    this.qualifierStart = -1
    this.valueStart = -1
    this.valueLength = 0
    this.isDelete = false
    this.isLogged = true
    this.hasTimestamp = false
    this.high = LATEST_HIGH
    this.low = LATEST_LOW
  }
}
