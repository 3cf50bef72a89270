import { EMPTY, readInt32, writeInt32 } from '../../../src/model/bytes.ts'
import { CELL_HEADER_BYTES, CellType, KEY_FIXED_BYTES } from '../../../src/model/cell.ts'
import { LATEST_HIGH, LATEST_LOW } from '../../../src/model/timestamp.ts'

/**
 * A key for seeks: a KeyValue without a value at offset 0 of `buffer`, whose timestamp and type make it sort before or
 * after all cells of its row and column.
 */
export class SeekKey {
  buffer: Buffer = EMPTY

  /** Sorts before every cell of the row. */
  firstOfRow(row: Buffer, rowLength: number = row.length): void {
    const family = this.#row(row, 0, rowLength, rowLength, rowLength)
    this.buffer[family] = 0
    this.#column(family + 1, EMPTY, 0, 0, true)
  }

  /** Sorts after every cell of the row and before those of the next. */
  afterRow(row: Buffer, rowLength: number = row.length): void {
    const family = this.#row(row, 0, rowLength, rowLength + 1, rowLength + 1)
    this.buffer[family - 1] = 0
    this.buffer[family] = 0
    this.#column(family + 1, EMPTY, 0, 0, true)
  }

  /** Sorts before every cell of the column, in the row and family of source[cell]. */
  firstOfColumn(source: Buffer, cell: number, qualifier: Buffer): void {
    const at = this.#rowAndFamily(source, cell, qualifier.length)
    this.#column(at, qualifier, 0, qualifier.length, true)
  }

  /** Sorts after every cell of the column of source[cell]. */
  afterColumn(source: Buffer, cell: number): void {
    const row = (source[cell + 8]! << 8) | source[cell + 9]!
    const qualifier = cell + 11 + row + source[cell + 10 + row]!
    const length = cell + readInt32(source, cell) - 1 - qualifier
    const at = this.#rowAndFamily(source, cell, length)
    this.#column(at, source, qualifier, length, false)
  }

  #rowAndFamily(source: Buffer, cell: number, qualifierLength: number): number {
    const rowLength = (source[cell + 8]! << 8) | source[cell + 9]!
    const familyLength = source[cell + 10 + rowLength]!
    const family = this.#row(
      source,
      cell + 10,
      rowLength,
      rowLength,
      rowLength + familyLength + qualifierLength,
    )
    copy(source, cell + 10 + rowLength, this.buffer, family, 1 + familyLength)
    return family + 1 + familyLength
  }

  /** Writes header and row; returns the offset of the family's length. `keyBytes`: bytes of row, family and qualifier. */
  #row(source: Buffer, offset: number, copied: number, rowLength: number, keyBytes: number): number {
    const bytes = CELL_HEADER_BYTES + KEY_FIXED_BYTES + keyBytes
    if (bytes > this.buffer.length) this.buffer = Buffer.allocUnsafe(bytes * 2)
    const { buffer } = this
    writeInt32(buffer, 0, KEY_FIXED_BYTES + keyBytes)
    writeInt32(buffer, 4, 0)
    buffer[8] = rowLength >>> 8
    buffer[9] = rowLength
    copy(source, offset, buffer, 10, copied)
    return 10 + rowLength
  }

  /** Writes the qualifier at `at`, then the greatest timestamp and type, which sort first, or the least, which sort last. */
  #column(at: number, qualifier: Buffer, offset: number, length: number, first: boolean): void {
    const { buffer } = this
    copy(qualifier, offset, buffer, at, length)
    const timestamp = at + length
    writeInt32(buffer, timestamp, first ? LATEST_HIGH : ~LATEST_HIGH)
    writeInt32(buffer, timestamp + 4, first ? LATEST_LOW : ~LATEST_LOW)
    buffer[timestamp + 8] = first ? CellType.Maximum : CellType.Minimum
  }
}

function copy(source: Buffer, from: number, target: Buffer, to: number, length: number): void {
  for (let i = 0; i < length; i++) target[to + i] = source[from + i]!
}
