import { EMPTY, readInt32, writeInt32 } from '../../model/bytes.ts'
import { CELL_HEADER_BYTES, CellType, cellBytes, keyLength, writeCell } from '../../model/cell.ts'
import { LATEST_HIGH, LATEST_LOW } from '../../model/timestamp.ts'
import { qualifierOffset } from './cell-parts.ts'

/** Long.MIN_VALUE, the oldest of all times. */
const OLDEST_HIGH = -0x8000_0000
const OLDEST_LOW = 0
/** Room for most keys. */
const BYTES_MIN = 128

/**
 * A key to seek to or to remember: a KeyValue without a value at offset 0 of a buffer that the next key reuses. HBase:
 * PrivateCellUtil.createFirstOnRow and its relatives.
 */
export class KeyCell {
  /** Empty until the first key: a list of filters has one for each of thousands. */
  #buffer: Buffer = EMPTY

  /** Before every cell of the row. */
  firstOnRow(row: Buffer, length: number = row.length): Buffer {
    const buffer = this.#room(cellBytes(length, 0, 0, 0))
    const exact = length === row.length ? row : row.subarray(0, length)
    writeCell(buffer, 0, exact, EMPTY, EMPTY, LATEST_HIGH, LATEST_LOW, CellType.Maximum, EMPTY)
    return buffer
  }

  /** Before every cell of that column of the cell's row and family. */
  firstOnColumn(source: Buffer, cell: number, qualifier: Buffer): Buffer {
    const rowAndFamily = qualifierOffset(source, cell) - cell - CELL_HEADER_BYTES
    const key = rowAndFamily + qualifier.length + 9
    const buffer = this.#room(CELL_HEADER_BYTES + key)
    writeInt32(buffer, 0, key)
    source.copy(buffer, CELL_HEADER_BYTES, cell + CELL_HEADER_BYTES, cell + CELL_HEADER_BYTES + rowAndFamily)
    buffer.set(qualifier, CELL_HEADER_BYTES + rowAndFamily)
    return this.#endKey(buffer, CELL_HEADER_BYTES + key, LATEST_HIGH, LATEST_LOW, CellType.Maximum)
  }

  /** Before every cell of the cell's column with this timestamp. */
  firstOnColumnAt(source: Buffer, cell: number, high: number, low: number): Buffer {
    return this.#withEnd(source, cell, high, low, CellType.Maximum)
  }

  /** After every cell of the cell's column. */
  lastOnColumn(source: Buffer, cell: number): Buffer {
    return this.#withEnd(source, cell, OLDEST_HIGH, OLDEST_LOW, CellType.Minimum)
  }

  /** The cell's own key. */
  keyOf(source: Buffer, cell: number): Buffer {
    const bytes = CELL_HEADER_BYTES + keyLength(source, cell)
    const buffer = this.#room(bytes)
    source.copy(buffer, 0, cell, cell + bytes)
    writeInt32(buffer, 4, 0)
    return buffer
  }

  #withEnd(source: Buffer, cell: number, high: number, low: number, type: number): Buffer {
    const buffer = this.keyOf(source, cell)
    return this.#endKey(buffer, CELL_HEADER_BYTES + readInt32(buffer, 0), high, low, type)
  }

  #endKey(buffer: Buffer, end: number, high: number, low: number, type: number): Buffer {
    writeInt32(buffer, 4, 0)
    writeInt32(buffer, end - 9, high)
    writeInt32(buffer, end - 5, low)
    buffer[end - 1] = type
    return buffer
  }

  #room(bytes: number): Buffer {
    if (bytes > this.#buffer.length) this.#buffer = Buffer.allocUnsafe(Math.max(BYTES_MIN, bytes * 2))
    return this.#buffer
  }
}
