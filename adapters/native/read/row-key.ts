import { EMPTY } from '../../../src/model/bytes.ts'

/** A copy of the row being read: the next move may reuse the cell's buffer. */
export class RowKey {
  bytes: Buffer
  length: number
  #owned = false

  /** Begins with `row`, which it does not change. */
  constructor(row: Buffer = EMPTY) {
    this.bytes = row
    this.length = row.length
  }

  set(source: Buffer, offset: number, length: number): void {
    if (!this.#owned || length > this.bytes.length) {
      this.bytes = Buffer.allocUnsafe(Math.max(64, length * 2))
      this.#owned = true
    }
    const { bytes } = this
    for (let i = 0; i < length; i++) bytes[i] = source[offset + i]!
    this.length = length
  }

  /** Copies the row of the KeyValue at buffer[cell]. */
  setToRowOf(buffer: Buffer, cell: number): void {
    this.set(buffer, cell + 10, (buffer[cell + 8]! << 8) | buffer[cell + 9]!)
  }

  /** True if the cell is of this row. Compares from the end: rows that follow each other mostly differ there. */
  isRowOf(buffer: Buffer, cell: number): boolean {
    const { bytes, length } = this
    if (((buffer[cell + 8]! << 8) | buffer[cell + 9]!) !== length) return false
    const row = cell + 10
    for (let i = length - 1; i >= 0; i--) {
      if (buffer[row + i] !== bytes[i]) return false
    }
    return true
  }

  copy(): Buffer {
    const { bytes, length } = this
    const copy = Buffer.allocUnsafe(length)
    for (let i = 0; i < length; i++) copy[i] = bytes[i]!
    return copy
  }
}
