/**
 * Cell sets as protobuf messages (idl/rest.proto), byte for byte as Java's encoder writes them.
 *
 *     CellSet { Row rows = 1 }   Row { bytes key = 1, Cell values = 2 }
 *     Cell { bytes column = 2, int64 timestamp = 3, bytes data = 4 }
 */

import type { CellCursor } from '../../model/cell-block.ts'
import { varint64Bytes, varintBytes, writeVarint, writeVarint64 } from '../rpc/varint.ts'
import type { CellSetWriter } from './cell-set-writer.ts'
import type { OutputBuffer } from './output-buffer.ts'

// PERSISTED: never renumber. Field numbers of idl/rest.proto with their wire types.
const ROWS = 0x0a
const ROW_KEY = 0x0a
const ROW_VALUES = 0x12
const CELL_COLUMN = 0x12
const CELL_TIMESTAMP = 0x18
const CELL_DATA = 0x22

const COLON = 0x3a
const VARINT32_BYTES_MAX = 5

export class CellSetProtobufWriter implements CellSetWriter {
  /** Offset of the open row's content, after room for its length; -1 where no row is open. */
  #content = -1

  begin(): void {
    this.#content = -1
  }

  startRow(out: OutputBuffer, cursor: CellCursor): void {
    this.#endRow(out)
    const { buffer, rowOffset, rowLength } = cursor
    let at = out.reserve(1 + VARINT32_BYTES_MAX + 1 + VARINT32_BYTES_MAX + rowLength)
    out.buffer[at] = ROWS
    this.#content = at + 1 + VARINT32_BYTES_MAX
    at = this.#content
    out.buffer[at++] = ROW_KEY
    at = writeVarint(out.buffer, at, rowLength)
    buffer.copy(out.buffer, at, rowOffset, rowOffset + rowLength)
    out.length = at + rowLength
  }

  cell(out: OutputBuffer, cursor: CellCursor): void {
    const { buffer, familyOffset, familyLength, qualifierOffset, qualifierLength } = cursor
    const { valueOffset, valueLength, timestampHigh, timestampLow } = cursor
    const column = familyLength + 1 + qualifierLength
    const length =
      1 +
      varintBytes(column) +
      column +
      (1 + varint64Bytes(timestampHigh, timestampLow)) +
      (1 + varintBytes(valueLength) + valueLength)
    let at = out.reserve(1 + VARINT32_BYTES_MAX + length)
    const target = out.buffer
    target[at++] = ROW_VALUES
    at = writeVarint(target, at, length)
    target[at++] = CELL_COLUMN
    at = writeVarint(target, at, column)
    buffer.copy(target, at, familyOffset, familyOffset + familyLength)
    at += familyLength
    target[at++] = COLON
    buffer.copy(target, at, qualifierOffset, qualifierOffset + qualifierLength)
    at += qualifierLength
    target[at++] = CELL_TIMESTAMP
    at = writeVarint64(target, at, timestampHigh, timestampLow)
    target[at++] = CELL_DATA
    at = writeVarint(target, at, valueLength)
    buffer.copy(target, at, valueOffset, valueOffset + valueLength)
    out.length = at + valueLength
  }

  endPage(out: OutputBuffer): void {
    this.#endRow(out)
  }

  end(out: OutputBuffer): void {
    this.#endRow(out)
  }

  /** Writes the row's length, and moves its content up to it. */
  #endRow(out: OutputBuffer): void {
    if (this.#content < 0) return
    const content = this.#content
    const length = out.length - content
    const at = writeVarint(out.buffer, content - VARINT32_BYTES_MAX, length)
    out.buffer.copyWithin(at, content, out.length)
    out.length = at + length
    this.#content = -1
  }
}
