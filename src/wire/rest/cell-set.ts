/**
 * A cell set as it came from a client, in columns of numbers over one Buffer, so that a set of many cells is a few
 * arrays. What is missing in a row or cell is kept as missing: the request's path may supply it.
 */

import { grownBuffer } from '../../model/grown-buffer.ts'
import { LATEST_HIGH, LATEST_LOW } from '../../model/timestamp.ts'

/** Length of what the client left out. */
const ABSENT = -1
const FIELDS = 6

export interface CellOfSet {
  /** `family:qualifier`. */
  readonly column: Buffer | undefined
  readonly timestampHigh: number
  readonly timestampLow: number
  readonly value: Buffer
}

export class CellSet {
  bytes: Buffer
  /** Bytes in use; the decoders that copy append there. */
  length = 0
  /** Something that a cell set must have and the client stated as null. The whole set was readable none the less. */
  fault: string | undefined
  readonly #keys: number[] = []
  readonly #rowEnds: number[] = []
  readonly #cells: number[] = []

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }

  /** Copies bytes in and returns their offset. */
  append(source: Buffer): number {
    const at = this.reserve(source.length)
    source.copy(this.bytes, at)
    this.length = at + source.length
    return at
  }

  /** Makes room for so many more bytes; returns the offset where they begin. */
  reserve(bytes: number): number {
    const at = this.length
    if (at + bytes > this.bytes.length) this.bytes = grownBuffer(this.bytes, at, at + bytes)
    return at
  }

  /** Lengths of -1 stand for what is missing. */
  addCell(
    column: number,
    columnLength: number,
    high: number,
    low: number,
    value: number,
    valueLength: number,
  ): void {
    this.#cells.push(column, columnLength, high, low, value, valueLength)
  }

  /** Ends the row that the cells since the last one belong to. */
  endRow(key: number, keyLength: number): void {
    this.#keys.push(key, keyLength)
    this.#rowEnds.push(this.#cells.length / FIELDS)
  }

  get rowCount(): number {
    return this.#rowEnds.length
  }

  get cellCount(): number {
    return this.#cells.length / FIELDS
  }

  rowKey(row: number): Buffer | undefined {
    return this.#slice(this.#keys[row * 2]!, this.#keys[row * 2 + 1]!)
  }

  firstCell(row: number): number {
    return row === 0 ? 0 : this.#rowEnds[row - 1]!
  }

  /** The number of the cell after the row's last. */
  endCell(row: number): number {
    return this.#rowEnds[row]!
  }

  cell(index: number): CellOfSet {
    const at = index * FIELDS
    const [column, columnLength, high, low, value, valueLength] = this.#cells.slice(at, at + FIELDS) as [
      number,
      number,
      number,
      number,
      number,
      number,
    ]
    return {
      column: this.#slice(column, columnLength),
      timestampHigh: high,
      timestampLow: low,
      value: this.bytes.subarray(value, value + Math.max(valueLength, 0)),
    }
  }

  #slice(offset: number, length: number): Buffer | undefined {
    return length === ABSENT ? undefined : this.bytes.subarray(offset, offset + length)
  }
}

/** The parts of one cell while its members are read, in whatever order they come. */
export class CellInProgress {
  column = 0
  columnLength: number = ABSENT
  high: number = LATEST_HIGH
  low: number = LATEST_LOW
  value = 0
  valueLength: number = ABSENT

  /** Hands the cell to the set and starts over. */
  finish(set: CellSet): void {
    set.addCell(this.column, this.columnLength, this.high, this.low, this.value, this.valueLength)
    this.columnLength = ABSENT
    this.high = LATEST_HIGH
    this.low = LATEST_LOW
    this.valueLength = ABSENT
  }
}
