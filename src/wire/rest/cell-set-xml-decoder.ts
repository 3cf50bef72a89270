/**
 * Cell sets from XML, by JAXB's rules: unknown elements, attributes and text are ignored, and so are characters that are
 * not base64. Throws CORRUPTION for a body that is no cell set, ILLEGAL_ARGUMENT for a timestamp that is no number,
 * TOO_LARGE above the limits.
 */

import type { DecodeLimits } from '../../model/decode-limits.ts'
import { someMemory } from '../../model/mapped-memory.ts'
import { timestampHigh, timestampLow } from '../../model/timestamp.ts'
import { parseInt64 } from '../text/int64-text.ts'
import { checkRoot, readXml, type XmlAttributes, type XmlHandler } from '../text/xml-reader.ts'
import { checkAttribute, lenientBase64BytesMax, readLenientBase64 } from './base64.ts'
import { CellInProgress, CellSet } from './cell-set.ts'

const ROOT_DEPTH = 1
const ROW_DEPTH = 2
const CELL_DEPTH = 3

/** Any number of so few digits is exact as a double, so it needs no bigint. */
const SAFE_DIGITS = /^\d{1,15}$/

export function decodeCellSetXml(body: Buffer, limits: DecodeLimits): CellSet {
  const reader = new CellSetReader(body.length, limits)
  readXml(body, limits.depthMax, reader)
  checkRoot(reader.root, 'CellSet')
  return reader.set
}

class CellSetReader implements XmlHandler {
  readonly set: CellSet
  root = ''
  readonly #cell = new CellInProgress()
  /** True within an element at the depth of rows that is a row; #inCell likewise for cells. */
  #inRow = false
  #inCell = false
  #key: string | undefined

  constructor(bytes: number, limits: DecodeLimits) {
    this.set = new CellSet(someMemory(bytes), limits)
  }

  open(name: string, attributes: XmlAttributes, depth: number): void {
    if (depth === CELL_DEPTH) {
      this.#inCell = this.#inRow && name === 'Cell'
      if (this.#inCell) this.#startCell(attributes)
    } else if (depth === ROW_DEPTH) {
      this.#inRow = name === 'Row'
      if (this.#inRow) this.#key = attributes['key']?.value
    } else if (depth === ROOT_DEPTH) this.root = name
  }

  close(_: string, text: string, depth: number): void {
    if (depth === CELL_DEPTH && this.#inCell) this.#endCell(text)
    else if (depth === ROW_DEPTH && this.#inRow) this.#endRow()
  }

  #startCell(attributes: XmlAttributes): void {
    const cell = this.#cell
    const column = attributes['column']?.value
    if (column !== undefined) {
      checkAttribute(column)
      cell.column = this.#append(column)
      cell.columnLength = this.set.length - cell.column
    }
    const timestamp = attributes['timestamp']?.value.trim()
    if (timestamp === undefined) return
    const value = SAFE_DIGITS.test(timestamp) ? Number(timestamp) : parseInt64(timestamp)
    cell.high = typeof value === 'number' ? Math.floor(value / 0x1_0000_0000) : timestampHigh(value)
    cell.low = typeof value === 'number' ? value | 0 : timestampLow(value)
  }

  #endCell(text: string): void {
    const { set } = this
    const cell = this.#cell
    cell.value = this.#append(text)
    cell.valueLength = set.length - cell.value
    cell.finish(set)
  }

  #endRow(): void {
    const { set } = this
    if (this.#key === undefined) {
      set.endRow(0, -1)
      return
    }
    checkAttribute(this.#key)
    const key = this.#append(this.#key)
    set.endRow(key, set.length - key)
  }

  /** Decodes to the end of the set's bytes; returns the offset at which the decoded bytes begin. */
  #append(base64: string): number {
    const { set } = this
    const at = set.reserve(lenientBase64BytesMax(base64.length))
    set.length = readLenientBase64(base64, set.bytes, at)
    return at
  }
}
