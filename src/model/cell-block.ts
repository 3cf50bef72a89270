/**
 * A cell block: cells back to back, each behind its int32 length, as HBase's KeyValueCodec writes them. Stores take and
 * scanners hand on the blocks of the native RPC without a copy.
 *
 *     block := (length i32 | KeyValue | (tagsBytes u16 | tags)?)*        see cell-tags.ts
 */

import { EMPTY, readInt32, writeInt32 } from './bytes.ts'
import {
  CELL_HEADER_BYTES,
  type CellParts,
  cellBytes,
  cellLength,
  FAMILY_BYTES_MAX,
  KEY_FIXED_BYTES,
  ROW_BYTES_MAX,
  writeCell,
} from './cell.ts'
import { HBaseError } from './errors.ts'
import { grownBuffer } from './grown-buffer.ts'
import { someMemory } from './mapped-memory.ts'
import type { ScatteredCells } from './scattered-cells.ts'
import { readTimestamp, timestampHigh, timestampLow } from './timestamp.ts'
import { ViewedBytes } from './viewed-bytes.ts'

/** The int32 before each cell. */
export const CELL_PREFIX_BYTES = 4
/** The int16 before a cell's tags. */
export const TAGS_LENGTH_BYTES = 2

export class CellBlock {
  static readonly EMPTY: CellBlock = new CellBlock(Buffer.alloc(0), 0, 0)

  readonly buffer: Buffer
  readonly start: number
  readonly end: number

  constructor(buffer: Buffer, start = 0, end: number = buffer.length) {
    this.buffer = buffer
    this.start = start
    this.end = end
  }

  get byteLength(): number {
    return this.end - this.start
  }
}

/**
 * Walks a block. After `next()` returned true the fields describe one cell as offsets and lengths in `buffer`; they are
 * plain numbers so that a loop over cells allocates nothing. A cursor does not validate: run checkCellBlock on blocks
 * from outside first.
 */
export class CellCursor {
  buffer: Buffer
  /** Offset of the KeyValue (after the length prefix). */
  cell = 0
  cellLength = 0
  rowOffset = 0
  rowLength = 0
  familyOffset = 0
  familyLength = 0
  qualifierOffset = 0
  qualifierLength = 0
  timestampOffset = 0
  type = 0
  valueOffset = 0
  valueLength = 0
  #next: number
  #end: number

  constructor(block: CellBlock) {
    this.buffer = block.buffer
    this.#next = block.start
    this.#end = block.end
  }

  /** Starts over on another block, so that one cursor can serve many. */
  reset(block: CellBlock): void {
    this.buffer = block.buffer
    this.#next = block.start
    this.#end = block.end
  }

  /** Where the next cell's length prefix begins. */
  get position(): number {
    return this.#next
  }

  next(): boolean {
    const prefix = this.#next
    if (prefix >= this.#end) return false
    const buffer = this.buffer
    const cell = prefix + CELL_PREFIX_BYTES
    const length = readInt32(buffer, prefix)
    const key = readInt32(buffer, cell)
    const rowLength = (buffer[cell + 8]! << 8) | buffer[cell + 9]!
    const family = cell + 10 + rowLength
    const familyLength = buffer[family]!
    const value = cell + CELL_HEADER_BYTES + key
    this.cell = cell
    this.cellLength = length
    this.rowOffset = cell + 10
    this.rowLength = rowLength
    this.familyOffset = family + 1
    this.familyLength = familyLength
    this.qualifierOffset = family + 1 + familyLength
    this.qualifierLength = key - KEY_FIXED_BYTES - rowLength - familyLength
    this.timestampOffset = value - 9
    this.type = buffer[value - 1]!
    this.valueOffset = value
    this.valueLength = readInt32(buffer, cell + 4)
    this.#next = cell + length
    return true
  }

  get timestampHigh(): number {
    return readInt32(this.buffer, this.timestampOffset)
  }

  get timestampLow(): number {
    return readInt32(this.buffer, this.timestampOffset + 4)
  }

  /** Where the cell's tags begin, if it has any. */
  get tagsOffset(): number {
    return this.valueOffset + this.valueLength + TAGS_LENGTH_BYTES
  }

  /** Bytes of the cell's tags, without their length; 0: none. */
  get tagsBytes(): number {
    const bytes = this.cell + this.cellLength - this.tagsOffset
    return bytes > 0 ? bytes : 0
  }

  /** The cell's tags, which share the block's bytes. */
  get tags(): Buffer {
    const { tagsBytes, tagsOffset } = this
    return tagsBytes === 0 ? EMPTY : this.buffer.subarray(tagsOffset, tagsOffset + tagsBytes)
  }

  /** The present cell as objects that share the block's bytes. */
  parts(): CellParts {
    const { buffer } = this
    return {
      row: buffer.subarray(this.rowOffset, this.rowOffset + this.rowLength),
      family: buffer.subarray(this.familyOffset, this.familyOffset + this.familyLength),
      qualifier: buffer.subarray(this.qualifierOffset, this.qualifierOffset + this.qualifierLength),
      timestamp: readTimestamp(buffer, this.timestampOffset),
      type: this.type,
      value: buffer.subarray(this.valueOffset, this.valueOffset + this.valueLength),
      ...(this.tagsBytes > 0 && { tags: this.tags }),
    }
  }
}

/** All cells of a block as objects: for tests and cold paths. */
export function cellsOf(block: CellBlock): CellParts[] {
  const cursor = new CellCursor(block)
  const cells: CellParts[] = []
  while (cursor.next()) cells.push(cursor.parts())
  return cells
}

/** Grows as cells are appended. `block()` shares its buffer: append nothing after handing the block on. */
export class CellBlockBuilder {
  buffer: Buffer
  /** Where the next cell goes. */
  length: number
  count = 0
  readonly #start: number
  readonly #bytesMax: number

  /** `memory`: where to write, from `start` on, or how many bytes to begin with. `bytesMax`: how large that may grow. */
  constructor(memory: Buffer | number = 1024, bytesMax: number = Number.POSITIVE_INFINITY, start = 0) {
    this.buffer = typeof memory === 'number' ? someMemory(memory) : memory
    this.#bytesMax = bytesMax
    this.#start = start
    this.length = start
  }

  /** Begins anew in the same memory. */
  clear(): void {
    this.length = this.#start
    this.count = 0
  }

  /** Makes room for `bytes` more and returns the offset at which they may be written. Throws TOO_LARGE. */
  reserve(bytes: number): number {
    const needed = this.length + bytes
    if (needed > this.buffer.length) this.#grow(needed)
    return this.length
  }

  #grow(needed: number): void {
    if (needed > this.#bytesMax) {
      throw new HBaseError(
        'TOO_LARGE',
        `the cells of the changes take more than ${this.#bytesMax} bytes, each with its row: send fewer in a request, or shorter rows`,
      )
    }
    this.buffer = grownBuffer(this.buffer, this.length, needed, this.#bytesMax)
  }

  /** Copies the KeyValue of `bytes` bytes at source[offset]. */
  appendCell(source: Buffer, offset: number, bytes: number = cellLength(source, offset)): void {
    const at = this.reserve(CELL_PREFIX_BYTES + bytes)
    writeInt32(this.buffer, at, bytes)
    source.copy(this.buffer, at + CELL_PREFIX_BYTES, offset, offset + bytes)
    this.length = at + CELL_PREFIX_BYTES + bytes
    this.count++
  }

  appendScattered(cells: ScatteredCells): void {
    const at = this.reserve(cells.byteLength)
    this.length = cells.copyTo(new ViewedBytes(this.buffer), at)
    this.count += cells.count
  }

  /**
   * Throws ILLEGAL_ARGUMENT for a row or a family that is longer than a KeyValue can state: its length would be cut off, and the
   * cell be one of another column. HBase: KeyValue.checkParameters.
   */
  append(
    row: Buffer,
    family: Buffer,
    qualifier: Buffer,
    high: number,
    low: number,
    type: number,
    value: Buffer,
  ): void {
    if (row.length > ROW_BYTES_MAX) throw new HBaseError('ILLEGAL_ARGUMENT', `Row > ${ROW_BYTES_MAX}`)
    if (family.length > FAMILY_BYTES_MAX)
      throw new HBaseError('ILLEGAL_ARGUMENT', `Family > ${FAMILY_BYTES_MAX}`)
    const bytes = cellBytes(row.length, family.length, qualifier.length, value.length)
    const at = this.reserve(CELL_PREFIX_BYTES + bytes)
    writeInt32(this.buffer, at, bytes)
    this.length = writeCell(
      this.buffer,
      at + CELL_PREFIX_BYTES,
      row,
      family,
      qualifier,
      high,
      low,
      type,
      value,
    )
    this.count++
  }

  /** Puts tags behind the cell that was appended last, whose length prefix is at `prefix`. */
  appendTags(prefix: number, source: Buffer, tags = 0, tagsBytes: number = source.length): void {
    if (tagsBytes === 0) return
    const at = this.reserve(TAGS_LENGTH_BYTES + tagsBytes)
    this.buffer[at] = tagsBytes >>> 8
    this.buffer[at + 1] = tagsBytes
    source.copy(this.buffer, at + TAGS_LENGTH_BYTES, tags, tags + tagsBytes)
    this.length = at + TAGS_LENGTH_BYTES + tagsBytes
    writeInt32(this.buffer, prefix, this.length - prefix - CELL_PREFIX_BYTES)
  }

  /** Puts more bytes behind the value of the cell that was appended last, which has no tags; its length prefix is at `prefix`. */
  extendValue(prefix: number, more: Buffer): void {
    const at = this.reserve(more.length)
    const cell = prefix + CELL_PREFIX_BYTES
    more.copy(this.buffer, at)
    this.length = at + more.length
    writeInt32(this.buffer, prefix, this.length - cell)
    writeInt32(this.buffer, cell + 4, readInt32(this.buffer, cell + 4) + more.length)
  }

  appendParts(cell: CellParts): void {
    const prefix = this.length
    this.append(
      cell.row,
      cell.family,
      cell.qualifier,
      timestampHigh(cell.timestamp),
      timestampLow(cell.timestamp),
      cell.type,
      cell.value,
    )
    if (cell.tags !== undefined) this.appendTags(prefix, cell.tags)
  }

  block(): CellBlock {
    return new CellBlock(this.buffer, this.#start, this.length)
  }
}

export function blockOf(cells: Iterable<CellParts>): CellBlock {
  const builder = new CellBlockBuilder()
  for (const cell of cells) builder.appendParts(cell)
  return builder.block()
}
