/**
 * Writes a `list<TRowResult>` in the binary protocol, in one pass without a call for each field: most scans' answers.
 *
 *     row    := field 1 string row | field 2 map string->struct columns | stop
 *     column := family ':' qualifier | field 1 string value | field 2 i64 timestamp | stop
 */

import { equalRange } from '../../model/bytes.ts'
import { CELL_HEADER_BYTES, KEY_FIXED_BYTES } from '../../model/cell.ts'
import { CELL_PREFIX_BYTES, type CellBlock } from '../../model/cell-block.ts'
import type { ScannedResults } from '../../model/results.ts'
import { PLACE_INTS, ScatteredCells } from '../../model/scattered-cells.ts'
import { StagedCells } from '../../model/staged-cells.ts'
import { copyViewed, ViewedBytes } from '../../model/viewed-bytes.ts'
import type { Output } from './output.ts'
import { WireType } from './protocol.ts'

/** Field 1 with its length, field 2 with types and count, the row's stop. */
const ROW_HEAD_BYTES = 7 + 9 + 1
/** A column's length and colon; field 1 with its length, field 2 with the timestamp, stop. */
const COLUMN_HEAD_BYTES = 5 + 7 + 11 + 1
const LIST_HEAD_BYTES = 5
/** A field's type and id, and a byte that the value overwrites. */
const FIELD_1_STRING = (WireType.STRING << 24) | (1 << 8)
const FIELD_2_I64 = (WireType.I64 << 24) | (2 << 8)
const FIELD_2_MAP_OF_STRINGS = (WireType.MAP << 24) | (2 << 8) | WireType.STRING
const COLON = 0x3a
/** Up to this length parts of keys are copied word by word. */
const KEY_PART_WORDS_MAX = 32

/** From this length on, the native copy within one buffer beats the words. */
const WITHIN_BYTES_MIN = 64

/**
 * Returns false, and writes nothing, where a row has several versions of a column: the map keeps only the last of them.
 */
export function writeBinaryRows(output: Output, { cells, counts }: ScannedResults): boolean {
  let cellCount = 0
  let found = 0
  for (const count of counts) {
    cellCount += count
    if (count > 0) found++
  }
  const bytes = LIST_HEAD_BYTES + found * ROW_HEAD_BYTES + cellCount * COLUMN_HEAD_BYTES + cells.byteLength
  const staged = cells instanceof ScatteredCells ? StagedCells.of(cells) : undefined
  const start = output.reserve(bytes + (staged?.bytes ?? 0))
  const rows = new BinaryRows(cells, output.viewed, staged?.copyTo(output.viewed, start + bytes))
  const { view } = output.viewed
  view.setUint8(start, WireType.STRUCT)
  view.setInt32(start + 1, found)
  let at = start + LIST_HEAD_BYTES
  for (const count of counts) {
    if (count === 0) continue
    at = rows.writeRow(at, count)
    if (at < 0) return false
  }
  output.length = at
  return true
}

class BinaryRows {
  readonly #target: ViewedBytes
  /** Places of the cells, unless they stand one after the other in the present source. */
  readonly #scattered: ScatteredCells | undefined
  /** For each memory, the number to add to a cell's offset: the cells were copied behind the output, into its buffer. */
  readonly #shifts: Int32Array | undefined
  /** The next entry of the scattered cells, or the offset of the next cell's length prefix in the source. */
  #next: number
  /** The present cell. */
  #source: ViewedBytes
  #cell = 0
  /** The last written column, where another one follows in its row. */
  #columnSource: ViewedBytes
  #column = 0
  #columnLength = 0

  constructor(cells: CellBlock | ScatteredCells, target: ViewedBytes, shifts: Int32Array | undefined) {
    this.#target = target
    this.#shifts = shifts
    if (cells instanceof ScatteredCells) {
      this.#scattered = cells
      this.#next = 0
      this.#source = shifts === undefined ? cells.memories[0]! : target
    } else {
      this.#scattered = undefined
      this.#next = cells.start
      this.#source = new ViewedBytes(cells.buffer)
    }
    this.#columnSource = this.#source
  }

  #advance(): void {
    const scattered = this.#scattered
    const next = this.#next
    if (scattered === undefined) {
      this.#cell = next + CELL_PREFIX_BYTES
      this.#next = this.#cell + this.#source.view.getInt32(next)
    } else {
      const { entries } = scattered
      const shifts = this.#shifts
      if (shifts === undefined) {
        this.#source = scattered.memories[entries[next]!]!
        this.#cell = entries[next + 1]!
      } else {
        this.#cell = entries[next + 1]! + shifts[entries[next]!]!
      }
      this.#next = next + PLACE_INTS
    }
  }

  /** Returns the offset after the row; -1 where two of its cells are of one column. */
  writeRow(start: number, count: number): number {
    this.#advance()
    const target = this.#target
    const { view } = target
    const cell = this.#cell
    const rowLength = this.#source.view.getUint16(cell + 8)
    view.setInt32(start, FIELD_1_STRING)
    view.setInt32(start + 3, rowLength)
    let at = copyKeyPart(this.#source, cell + 10, rowLength, target, start + 7)
    view.setInt32(at, FIELD_2_MAP_OF_STRINGS)
    view.setUint8(at + 4, WireType.STRUCT)
    view.setInt32(at + 5, count)
    at = this.#writeColumn(at + 9, rowLength)
    for (let i = 1; i < count; i++) {
      this.#rememberColumn(rowLength)
      this.#advance()
      if (this.#isColumnRemembered(rowLength)) return -1
      at = this.#writeColumn(at, rowLength)
    }
    view.setUint8(at, WireType.STOP)
    return at + 1
  }

  #writeColumn(start: number, rowLength: number): number {
    const source = this.#source
    const from = source.view
    const cell = this.#cell
    const keyLength = from.getInt32(cell)
    const valueLength = from.getInt32(cell + 4)
    const family = cell + 11 + rowLength
    const familyLength = from.getUint8(family - 1)
    const columnLength = keyLength - KEY_FIXED_BYTES - rowLength
    const value = cell + CELL_HEADER_BYTES + keyLength
    const timestampHigh = from.getInt32(value - 9)
    const timestampLow = from.getInt32(value - 5)

    const target = this.#target
    const { view } = target
    view.setInt32(start, columnLength + 1)
    let at = copyKeyPart(source, family, familyLength, target, start + 4)
    view.setUint8(at, COLON)
    at = copyKeyPart(source, family + familyLength, columnLength - familyLength, target, at + 1)
    view.setInt32(at, FIELD_1_STRING)
    view.setInt32(at + 3, valueLength)
    at += 7
    if (source === target && valueLength >= WITHIN_BYTES_MIN) {
      target.buffer.copyWithin(at, value, value + valueLength)
      at += valueLength
    } else {
      at = copyViewed(source, value, valueLength, target, at)
    }
    view.setInt32(at, FIELD_2_I64)
    view.setInt32(at + 3, timestampHigh)
    view.setInt32(at + 7, timestampLow)
    view.setUint8(at + 11, WireType.STOP)
    return at + 12
  }

  #rememberColumn(rowLength: number): void {
    const source = this.#source
    this.#columnSource = source
    this.#column = this.#cell + 10 + rowLength
    this.#columnLength = columnBytes(source.view, this.#cell, rowLength)
  }

  /** Compares from the byte before the family, its length, so that equal bytes mean equal columns. */
  #isColumnRemembered(rowLength: number): boolean {
    const { buffer, view } = this.#source
    const length = columnBytes(view, this.#cell, rowLength)
    const column = this.#cell + 10 + rowLength
    return equalRange(this.#columnSource.buffer, this.#column, this.#columnLength, buffer, column, length)
  }
}

/** Bytes of a cell's qualifier, and of its family with the length before it. */
function columnBytes(view: DataView, cell: number, rowLength: number): number {
  return view.getInt32(cell) - KEY_FIXED_BYTES - rowLength + 1
}

/**
 * Copies a row, a family or a qualifier; returns the offset after it. It may read and write up to three bytes too many:
 * in a cell at least nine bytes follow any of these parts, and the output's next bytes are written later.
 */
function copyKeyPart(
  source: ViewedBytes,
  start: number,
  length: number,
  target: ViewedBytes,
  offset: number,
): number {
  if (length > KEY_PART_WORDS_MAX) return copyViewed(source, start, length, target, offset)
  for (let i = 0; i < length; i += 4) {
    target.view.setInt32(offset + i, source.view.getInt32(start + i, true), true)
  }
  return offset + length
}
