import { writeInt32 } from '../../model/bytes.ts'
import { CellType, cellBytes, FAMILY_BYTES_MAX, isRowLength, KEY_FIXED_BYTES } from '../../model/cell.ts'
import { CELL_PREFIX_BYTES, type CellBlockBuilder } from '../../model/cell-block.ts'
import { copyViewed, ViewedBytes } from '../../model/viewed-bytes.ts'
import type { CellSet } from './cell-set.ts'

const COLON = 0x3a

/** Copies puts out of a cell set's bytes into cells, without an object for each part. */
export class SetCellCopier {
  readonly #set: CellSet
  readonly #cells: CellBlockBuilder
  readonly #cellBytesMax: number
  readonly #source: ViewedBytes
  readonly #isAnswer: boolean
  #target: ViewedBytes = ViewedBytes.EMPTY

  /** `isAnswer`: of a server's answer, which may state any time, and leaves out an empty value. */
  constructor(set: CellSet, cells: CellBlockBuilder, cellBytesMax: number, isAnswer = false) {
    this.#set = set
    this.#cells = cells
    this.#cellBytesMax = cellBytesMax
    this.#isAnswer = isAnswer
    this.#source = new ViewedBytes(set.bytes)
  }

  /** Appends a cell of a row as a put; false, with nothing done, where it lacks a part or cannot be put as it is. */
  copyPut(row: number, index: number): boolean {
    const set = this.#set
    const rowLength = set.keyLength(row)
    const { column, columnLength, timestampHigh, timestampLow, value, valueLength: stated } = set.place(index)
    const familyLength = this.#familyLength(column, columnLength)
    if (!isRowLength(rowLength) || (!this.#isAnswer && (timestampHigh < 0 || stated < 0))) return false
    if (familyLength <= 0 || familyLength > FAMILY_BYTES_MAX) return false
    const qualifierLength = columnLength - familyLength - 1
    const valueLength = Math.max(0, stated)
    const bytes = cellBytes(rowLength, familyLength, qualifierLength, valueLength)
    if (bytes > this.#cellBytesMax) return false
    const cells = this.#cells
    const at = cells.reserve(CELL_PREFIX_BYTES + bytes)
    const { buffer } = cells
    if (buffer !== this.#target.buffer) this.#target = new ViewedBytes(buffer)
    const cell = at + CELL_PREFIX_BYTES
    writeInt32(buffer, at, bytes)
    writeInt32(buffer, cell, KEY_FIXED_BYTES + rowLength + familyLength + qualifierLength)
    writeInt32(buffer, cell + 4, valueLength)
    buffer[cell + 8] = rowLength >>> 8
    buffer[cell + 9] = rowLength
    const family = this.#copy(set.keyOffset(row), rowLength, cell + 10)
    buffer[family] = familyLength
    const qualifier = this.#copy(column, familyLength, family + 1)
    const time = this.#copy(column + familyLength + 1, qualifierLength, qualifier)
    writeInt32(buffer, time, timestampHigh)
    writeInt32(buffer, time + 4, timestampLow)
    buffer[time + 8] = CellType.Put
    cells.length = this.#copy(value, valueLength, time + 9)
    cells.count++
    return true
  }

  /** Bytes before the column's first colon; -1 without one, and for a column that the client left out. */
  #familyLength(column: number, columnLength: number): number {
    const { bytes } = this.#set
    for (let i = 0; i < columnLength; i++) if (bytes[column + i] === COLON) return i
    return -1
  }

  #copy(from: number, length: number, to: number): number {
    return copyViewed(this.#source, from, length, this.#target, to)
  }
}
