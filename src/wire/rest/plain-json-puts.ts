/**
 * The puts of a cell set in plain JSON, decoded straight into cells. Plain are rows with their key before their cells, and cells
 * with their column first, all in whole base64 without escapes, null or other members: nearly every client sends that. Any other
 * body goes to the general decoder, which also reports faults.
 */

import { writeInt32 } from '../../model/bytes.ts'
import {
  CELL_HEADER_BYTES,
  CellType,
  FAMILY_BYTES_MAX,
  KEY_FIXED_BYTES,
  ROW_BYTES_MAX,
} from '../../model/cell.ts'
import { CELL_PREFIX_BYTES, type CellBlockBuilder } from '../../model/cell-block.ts'
import type { DecodeLimits } from '../../model/decode-limits.ts'
import { MutationBatch } from '../../model/mutation.ts'
import { LATEST_HIGH, LATEST_LOW, millisHigh, millisLow } from '../../model/timestamp.ts'
import { groupBits, paddedBits } from './base64.ts'

export interface PutLimits extends DecodeLimits {
  readonly cellBytesMax: number
}

const ROW = Buffer.from('"Row"')
const KEY = Buffer.from('"key"')
const CELL = Buffer.from('"Cell"')
const COLUMN = Buffer.from('"column"')
const TIMESTAMP = Buffer.from('"timestamp"')
const VALUE = Buffer.from('"$"')

const QUOTE = 0x22
const DOLLAR = 0x24
const COMMA = 0x2c
const ZERO = 0x30
const COLON = 0x3a
const PAD = 0x3d
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const OPEN = 0x7b
const CLOSE = 0x7d

/** Any number of so few digits is exact as a double. */
const SAFE_DIGITS_MAX = 15
/** A cell beside row, column and value, and the bytes that a last group of base64 may be longer than its bytes. */
const ROOM_BYTES = CELL_PREFIX_BYTES + CELL_HEADER_BYTES + KEY_FIXED_BYTES + 4
const ABSENT = -1

/** Undefined: the body is not plain, or exceeds a limit. */
export function readPlainJsonPuts(body: Buffer, limits: PutLimits): MutationBatch | undefined {
  return new PlainJsonPuts(body, limits).read()
}

/** Methods that read something return false, or ABSENT, where the body is not plain. */
class PlainJsonPuts {
  readonly #text: Buffer
  #at = 0
  readonly #limits: PutLimits
  readonly #batch: MutationBatch
  readonly #cells: CellBlockBuilder

  constructor(text: Buffer, limits: PutLimits) {
    this.#text = text
    this.#limits = limits
    this.#batch = new MutationBatch(text.length + ROOM_BYTES)
    this.#cells = this.#batch.cells
  }

  read(): MutationBatch | undefined {
    if (!this.#takes(OPEN) || !this.#takesName(ROW) || !this.#takes(OPEN_LIST)) return undefined
    do if (!this.#readRow()) return undefined
    while (this.#takes(COMMA))
    if (!this.#takes(CLOSE_LIST) || !this.#takes(CLOSE)) return undefined
    this.#skipSpace()
    return this.#at === this.#text.length ? this.#batch : undefined
  }

  #readRow(): boolean {
    const batch = this.#batch
    if (batch.length >= this.#limits.batchMax || !this.#takes(OPEN) || !this.#takesName(KEY)) return false
    // Where the row's first cell has it.
    const row = this.#reserve(0) + CELL_PREFIX_BYTES + CELL_HEADER_BYTES + 2
    const length = this.#readBase64(row)
    if (length <= 0 || length > ROW_BYTES_MAX) return false
    if (!this.#takes(COMMA) || !this.#takesName(CELL) || !this.#takes(OPEN_LIST)) return false
    do if (!this.#readCell(row, length)) return false
    while (this.#takes(COMMA))
    if (!this.#takes(CLOSE_LIST) || !this.#takes(CLOSE)) return false
    batch.endMutation()
    return true
  }

  /** Adds a cell, whose row is in the cells already. */
  #readCell(row: number, rowLength: number): boolean {
    if (this.#cells.count >= this.#limits.elementsMax) return false
    if (!this.#takes(OPEN) || !this.#takesName(COLUMN)) return false
    const at = this.#reserve(rowLength)
    const { buffer } = this.#cells
    const ownRow = at + CELL_PREFIX_BYTES + CELL_HEADER_BYTES + 2
    if (ownRow !== row) buffer.copyWithin(ownRow, row, row + rowLength)
    const column = ownRow + rowLength
    const columnLength = this.#readBase64(column)
    if (columnLength < 0 || !this.#splitColumn(column, columnLength)) return false
    const valueLength = this.#readTimeAndValue(column + columnLength)
    if (valueLength < 0) return false
    // The family's length takes the place of the colon.
    const keyBytes = KEY_FIXED_BYTES + rowLength + columnLength - 1
    const bytes = CELL_HEADER_BYTES + keyBytes + valueLength
    if (bytes > this.#limits.cellBytesMax) return false
    writeInt32(buffer, at, bytes)
    writeInt32(buffer, at + 4, keyBytes)
    writeInt32(buffer, at + 8, valueLength)
    buffer[at + 12] = rowLength >>> 8
    buffer[at + 13] = rowLength
    this.#cells.length = at + CELL_PREFIX_BYTES + bytes
    this.#cells.count++
    return true
  }

  /** Makes `family:qualifier` the family's length, the family and the qualifier. */
  #splitColumn(column: number, length: number): boolean {
    const { buffer } = this.#cells
    let familyLength = 0
    while (familyLength < length && buffer[column + familyLength] !== COLON) familyLength++
    if (familyLength === 0 || familyLength === length || familyLength > FAMILY_BYTES_MAX) return false
    for (let i = familyLength; i > 0; i--) buffer[column + i] = buffer[column + i - 1]!
    buffer[column] = familyLength
    return true
  }

  /** The rest of a cell, which goes to the offset `time`. Returns the length of the value. */
  #readTimeAndValue(time: number): number {
    const { buffer } = this.#cells
    let [high, low] = [LATEST_HIGH, LATEST_LOW]
    let hasTime = false
    let valueLength = ABSENT
    while (this.#takes(COMMA)) {
      this.#skipSpace()
      if (this.#text[this.#at + 1] === DOLLAR) {
        if (valueLength >= 0 || !this.#takesName(VALUE)) return ABSENT
        valueLength = this.#readBase64(time + 9)
        if (valueLength < 0) return ABSENT
      } else {
        if (hasTime || !this.#takesName(TIMESTAMP)) return ABSENT
        const millis = this.#readMillis()
        if (millis < 0) return ABSENT
        hasTime = true
        high = millisHigh(millis)
        low = millisLow(millis)
      }
    }
    writeInt32(buffer, time, high)
    writeInt32(buffer, time + 4, low)
    buffer[time + 8] = CellType.Put
    return this.#takes(CLOSE) ? valueLength : ABSENT
  }

  #readMillis(): number {
    this.#skipSpace()
    const text = this.#text
    const start = this.#at
    let at = start
    let millis = 0
    for (; at < text.length; at++) {
      const digit = text[at]! - ZERO
      if (digit < 0 || digit > 9) break
      millis = millis * 10 + digit
    }
    this.#at = at
    const digits = at - start
    const isPlain = digits === 1 || (digits > 1 && digits <= SAFE_DIGITS_MAX && text[start] !== ZERO)
    return isPlain ? millis : ABSENT
  }

  /**
   * Makes room for a cell with such a row and with all that the text may still have; returns its offset. A row's first cell needs no more
   * than was reserved before its key, so that the key, which no cell has yet, stays where it is.
   */
  #reserve(rowLength: number): number {
    const left = this.#text.length - this.#at
    return this.#cells.reserve(ROOM_BYTES + rowLength + left - (left >>> 2))
  }

  /** Decodes a string at an offset of the cells, where there is room; returns the number of its bytes. */
  #readBase64(to: number): number {
    if (!this.#takes(QUOTE)) return ABSENT
    const text = this.#text
    const { buffer } = this.#cells
    const end = text.length - 4
    let from = this.#at
    let at = to
    for (; from < end; from += 4) {
      const bits = groupBits(text, from)
      if (bits < 0) break
      buffer[at] = bits >>> 16
      buffer[at + 1] = bits >>> 8
      buffer[at + 2] = bits
      at += 3
    }
    if (from >= end) return ABSENT
    if (text[from] !== QUOTE) {
      at = this.#readPadded(from, at)
      from += 4
      if (at < 0 || text[from] !== QUOTE) return ABSENT
    }
    this.#at = from + 1
    return at - to
  }

  /** Decodes a group with padding; returns the offset after its bytes. */
  #readPadded(from: number, at: number): number {
    const text = this.#text
    const { buffer } = this.#cells
    if (text[from + 3] !== PAD) return ABSENT
    const hasOne = text[from + 2] === PAD
    const bits = paddedBits(text, from, hasOne ? 2 : 3)
    if (bits < 0) return ABSENT
    buffer[at] = bits >>> 16
    if (hasOne) return at + 1
    buffer[at + 1] = bits >>> 8
    return at + 2
  }

  #takesName(name: Buffer): boolean {
    this.#skipSpace()
    const text = this.#text
    const at = this.#at
    if (at + name.length > text.length) return false
    for (let i = 0; i < name.length; i++) if (text[at + i] !== name[i]) return false
    this.#at = at + name.length
    return this.#takes(COLON)
  }

  #takes(byte: number): boolean {
    const text = this.#text
    if (this.#at < text.length && text[this.#at] === byte) {
      this.#at++
      return true
    }
    this.#skipSpace()
    if (this.#at === text.length || text[this.#at] !== byte) return false
    this.#at++
    return true
  }

  #skipSpace(): void {
    const text = this.#text
    let at = this.#at
    while (at < text.length && isSpace(text[at]!)) at++
    this.#at = at
  }
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}
