/**
 * A client's cell set, in arrays of numbers over one Buffer, so that many cells need few objects. A part that the client
 * left out stays absent: the request's path may supply it.
 */

import { type DecodeLimits, tooMany } from '../../model/decode-limits.ts'
import { grownBuffer } from '../../model/grown-buffer.ts'
import { alone, asBuffer } from '../../model/moved-memory.ts'
import { LATEST_HIGH, LATEST_LOW } from '../../model/timestamp.ts'

/** The length of a part that the client left out. */
const ABSENT = -1
const FIELDS = 6

export interface CellOfSet {
  /** `family:qualifier`. */
  readonly column: Buffer | undefined
  readonly timestampHigh: number
  readonly timestampLow: number
  readonly value: Buffer
}

/** Where a cell's parts are in the bytes of its set. */
export interface CellPlace {
  column: number
  /** -1: the client left it out. */
  columnLength: number
  timestampHigh: number
  timestampLow: number
  value: number
  /** -1: the client left it out. */
  valueLength: number
}

/** A cell set as a message between threads: a few buffers for any number of cells. */
export interface PackedCellSet {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly fault: string | undefined
  readonly keys: Float64Array<ArrayBuffer>
  readonly rowEnds: Float64Array<ArrayBuffer>
  readonly cells: Float64Array<ArrayBuffer>
}

export class CellSet {
  bytes: Buffer
  /** Bytes in use; decoders that copy append after them. */
  length = 0
  /** Called for a required part that the client stated as null, in a set that is otherwise readable. */
  fault: string | undefined
  readonly #keys: number[] = []
  readonly #rowEnds: number[] = []
  readonly #cells: number[] = []
  readonly #place: CellPlace = {
    column: 0,
    columnLength: ABSENT,
    timestampHigh: LATEST_HIGH,
    timestampLow: LATEST_LOW,
    value: 0,
    valueLength: ABSENT,
  }
  readonly #rowsMax: number
  readonly #cellsMax: number

  constructor(bytes: Buffer, { batchMax, elementsMax }: DecodeLimits) {
    this.bytes = bytes
    this.#rowsMax = batchMax
    this.#cellsMax = elementsMax
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

  /** A length of -1: the client left the part out. Throws TOO_LARGE above the limit. */
  addCell(
    column: number,
    columnLength: number,
    high: number,
    low: number,
    value: number,
    valueLength: number,
  ): void {
    if (this.cellCount >= this.#cellsMax) throw tooMany('cells', this.#cellsMax)
    this.#cells.push(column, columnLength, high, low, value, valueLength)
  }

  /** Ends a row: the cells since the last row's end belong to it. Throws TOO_LARGE above the limit. */
  endRow(key: number, keyLength: number): void {
    if (this.rowCount >= this.#rowsMax) throw tooMany('rows', this.#rowsMax)
    this.#keys.push(key, keyLength)
    this.#rowEnds.push(this.#cells.length / FIELDS)
  }

  /** Forgets the cells of the row that has not ended: the last of several lists of cells counts. */
  dropCells(): void {
    this.#cells.length = (this.#rowEnds.at(-1) ?? 0) * FIELDS
  }

  /** Forgets the rows: the last of several lists of rows counts. */
  dropRows(): void {
    this.#keys.length = 0
    this.#rowEnds.length = 0
    this.#cells.length = 0
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

  /** Where the row's key is in the bytes; its length is -1 if the client left it out. */
  keyOffset(row: number): number {
    return this.#keys[row * 2]!
  }

  keyLength(row: number): number {
    return this.#keys[row * 2 + 1]!
  }

  /** Where the parts of a cell are: for callers that copy many. The object is the same at each call. */
  place(index: number): Readonly<CellPlace> {
    const cells = this.#cells
    const place = this.#place
    const at = index * FIELDS
    place.column = cells[at]!
    place.columnLength = cells[at + 1]!
    place.timestampHigh = cells[at + 2]!
    place.timestampLow = cells[at + 3]!
    place.value = cells[at + 4]!
    place.valueLength = cells[at + 5]!
    return place
  }

  cell(index: number): CellOfSet {
    const { column, columnLength, timestampHigh, timestampLow, value, valueLength } = this.place(index)
    return {
      column: this.#slice(column, columnLength),
      timestampHigh,
      timestampLow,
      value: this.bytes.subarray(value, value + Math.max(valueLength, 0)),
    }
  }

  pack(): PackedCellSet {
    return {
      bytes: alone(this.bytes),
      fault: this.fault,
      keys: Float64Array.from(this.#keys),
      rowEnds: Float64Array.from(this.#rowEnds),
      cells: Float64Array.from(this.#cells),
    }
  }

  static unpack({ bytes, fault, keys, rowEnds, cells }: PackedCellSet, limits: DecodeLimits): CellSet {
    const set = new CellSet(asBuffer(bytes), limits)
    set.length = bytes.length
    set.fault = fault
    for (const key of keys) set.#keys.push(key)
    for (const end of rowEnds) set.#rowEnds.push(end)
    for (const part of cells) set.#cells.push(part)
    return set
  }

  #slice(offset: number, length: number): Buffer | undefined {
    return length === ABSENT ? undefined : this.bytes.subarray(offset, offset + length)
  }
}

/** The parts of one cell while a decoder reads its members, in any order. */
export class CellInProgress {
  column = 0
  columnLength: number = ABSENT
  high: number = LATEST_HIGH
  low: number = LATEST_LOW
  value = 0
  valueLength: number = ABSENT

  /** Adds the cell to the set and clears the parts. */
  finish(set: CellSet): void {
    set.addCell(this.column, this.columnLength, this.high, this.low, this.value, this.valueLength)
    this.columnLength = ABSENT
    this.high = LATEST_HIGH
    this.low = LATEST_LOW
    this.valueLength = ABSENT
  }
}
