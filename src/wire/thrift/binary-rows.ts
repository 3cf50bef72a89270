/**
 * `list<TRowResult>` in the binary protocol, written in one pass with no call a field: scans are mostly this.
 *
 *     row    := field 1 string row | field 2 map string->struct columns | stop
 *     column := family ':' qualifier | field 1 string value | field 2 i64 timestamp | stop
 */

import { equalRange } from '../../model/bytes.ts'
import { CELL_HEADER_BYTES, KEY_FIXED_BYTES } from '../../model/cell.ts'
import { CELL_PREFIX_BYTES } from '../../model/cell-block.ts'
import type { Results } from '../../model/results.ts'
import { copyViewed, ViewedBytes } from './copy-bytes.ts'
import type { Output } from './output.ts'
import { WireType } from './protocol.ts'

/** Field 1 with its length, field 2 with types and count, the row's stop. */
const ROW_HEAD_BYTES = 7 + 9 + 1
/** A column's length and colon; field 1 with its length, field 2 with the timestamp, stop. */
const COLUMN_HEAD_BYTES = 5 + 7 + 11 + 1
const LIST_HEAD_BYTES = 5
/** A field's type and id, and one byte of what follows, which is written over it. */
const FIELD_1_STRING = (WireType.STRING << 24) | (1 << 8)
const FIELD_2_I64 = (WireType.I64 << 24) | (2 << 8)
const FIELD_2_MAP_OF_STRINGS = (WireType.MAP << 24) | (2 << 8) | WireType.STRING
const COLON = 0x3a

/**
 * False, and nothing is written, where a row has several versions of a column: only the last of them may be in the map.
 */
export function writeBinaryRows(output: Output, { cells, counts }: Results): boolean {
  let cellCount = 0
  let found = 0
  for (const count of counts) {
    cellCount += count
    if (count > 0) found++
  }
  const start = output.reserve(
    LIST_HEAD_BYTES + found * ROW_HEAD_BYTES + cellCount * COLUMN_HEAD_BYTES + cells.byteLength,
  )
  const rows = new BinaryRows(new ViewedBytes(cells.buffer), output.viewed, cells.start)
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
  readonly #source: ViewedBytes
  readonly #target: ViewedBytes
  /** Where the next cell's length prefix stands in the source. */
  #next: number
  /** The last column's bytes in the source. */
  #family = 0
  #column = 0

  constructor(source: ViewedBytes, target: ViewedBytes, start: number) {
    this.#source = source
    this.#target = target
    this.#next = start
  }

  /** Returns the offset after the row; -1 where two of its cells have one column. */
  writeRow(start: number, count: number): number {
    const target = this.#target
    const { view } = target
    const cell = this.#next + CELL_PREFIX_BYTES
    const rowLength = this.#source.view.getUint16(cell + 8)
    view.setInt32(start, FIELD_1_STRING)
    view.setInt32(start + 3, rowLength)
    let at = copyViewed(this.#source, cell + 10, rowLength, target, start + 7)
    view.setInt32(at, FIELD_2_MAP_OF_STRINGS)
    view.setUint8(at + 4, WireType.STRUCT)
    view.setInt32(at + 5, count)
    at += 9
    for (let i = 0; i < count; i++) {
      at = this.#writeColumn(at, i > 0)
      if (at < 0) return -1
    }
    view.setUint8(at, WireType.STOP)
    return at + 1
  }

  #writeColumn(start: number, hasPrevious: boolean): number {
    const source = this.#source
    const from = source.view
    const cell = this.#next + CELL_PREFIX_BYTES
    const keyLength = from.getInt32(cell)
    const valueLength = from.getInt32(cell + 4)
    const rowLength = from.getUint16(cell + 8)
    const family = cell + 11 + rowLength
    const familyLength = from.getUint8(family - 1)
    const columnLength = keyLength - KEY_FIXED_BYTES - rowLength
    if (hasPrevious && this.#isSameColumn(family, columnLength)) return -1
    this.#family = family
    this.#column = columnLength
    this.#next = cell + from.getInt32(cell - CELL_PREFIX_BYTES)

    const target = this.#target
    const { view } = target
    view.setInt32(start, columnLength + 1)
    let at = copyViewed(source, family, familyLength, target, start + 4)
    view.setUint8(at, COLON)
    at = copyViewed(source, family + familyLength, columnLength - familyLength, target, at + 1)
    view.setInt32(at, FIELD_1_STRING)
    view.setInt32(at + 3, valueLength)
    const value = cell + CELL_HEADER_BYTES + keyLength
    at = copyViewed(source, value, valueLength, target, at + 7)
    view.setInt32(at, FIELD_2_I64)
    view.setInt32(at + 3, from.getInt32(value - 9))
    view.setInt32(at + 7, from.getInt32(value - 5))
    view.setUint8(at + 11, WireType.STOP)
    return at + 12
  }

  /** The byte before a family is its length, so that equal bytes from there on are equal columns. */
  #isSameColumn(family: number, columnLength: number): boolean {
    const { buffer } = this.#source
    return equalRange(buffer, this.#family - 1, this.#column + 1, buffer, family - 1, columnLength + 1)
  }
}
