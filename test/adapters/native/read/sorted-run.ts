import type { CellIterator, CellRun } from '../../../../adapters/native/cells/cell-run.ts'
import { compareBytes, EMPTY } from '../../../../src/model/bytes.ts'
import { type CellParts, cellBytes, compareCells, writeCell } from '../../../../src/model/cell.ts'
import { timestampHigh, timestampLow } from '../../../../src/model/timestamp.ts'

import { ViewedBytes } from '../../../../src/model/viewed-bytes.ts'

/** A written cell with its sequence id and tags, which the engine adds. */
export interface WrittenCell extends CellParts {
  readonly sequenceId: number
  readonly tags?: Buffer
}

interface StoredCell {
  readonly bytes: Buffer
  readonly row: Buffer
  readonly cellBytes: number
  readonly sequenceId: number
}

function stored(cell: WrittenCell): StoredCell {
  const tags = cell.tags ?? EMPTY
  const length = cellBytes(cell.row.length, cell.family.length, cell.qualifier.length, cell.value.length)
  const bytes = Buffer.alloc(length + tags.length)
  const { row, family, qualifier, timestamp, type, value } = cell
  writeCell(bytes, 0, row, family, qualifier, timestampHigh(timestamp), timestampLow(timestamp), type, value)
  bytes.set(tags, length)
  return { bytes, row, cellBytes: length, sequenceId: cell.sequenceId }
}

/** The tag that limits a cell's life. */
export function timeToLiveTag(millis: number): Buffer {
  const tag = Buffer.alloc(11)
  tag.writeInt16BE(9, 0)
  tag[2] = 8
  tag.writeBigInt64BE(BigInt(millis), 3)
  return tag
}

/** Row, family and qualifier with their lengths. */
function columnBytes({ bytes }: StoredCell): Buffer {
  return bytes.subarray(8, bytes.readInt32BE(0) - 1)
}

/** The simplest run: an array of cells in order. */
export class SortedRun implements CellRun {
  readonly maxSequenceId: number
  openIterators = 0
  readonly written: readonly WrittenCell[]
  readonly cells: readonly StoredCell[]

  constructor(cells: readonly WrittenCell[]) {
    this.written = cells
    this.cells = cells
      .map(stored)
      .sort((a, b) => compareCells(a.bytes, 0, b.bytes, 0) || b.sequenceId - a.sequenceId)
    this.maxSequenceId = cells.reduce((max, cell) => Math.max(max, cell.sequenceId), 0)
  }

  mayHaveRow(row: Buffer): boolean {
    return this.cells.some((cell) => cell.row.equals(row))
  }

  mayHaveRows(start: Buffer, stop: Buffer): boolean {
    return this.cells.some(
      ({ row }) => compareBytes(row, start) >= 0 && (stop.length === 0 || compareBytes(row, stop) <= 0),
    )
  }

  mayHaveTimes(): boolean {
    return true
  }

  iterator(readPoint: number): CellIterator {
    this.openIterators++
    return new SortedRunIterator(
      this.cells.filter((cell) => cell.sequenceId <= readPoint),
      () => this.openIterators--,
    )
  }

  pointIterator(readPoint: number): CellIterator {
    return this.iterator(readPoint)
  }
}

/** Shows each cell in a buffer of its own, amid other bytes. Closing overwrites the buffers unless one is lent. */
class SortedRunIterator implements CellIterator {
  readonly heldBytes = 1
  buffer: Buffer = EMPTY
  readonly cell = 7
  readonly #cells: readonly StoredCell[]
  readonly #onClose: () => void
  readonly #shown: Buffer[] = []
  #loans = 0
  #isClosed = false
  #at = -1

  constructor(cells: readonly StoredCell[], onClose: () => void) {
    this.#cells = cells
    this.#onClose = onClose
  }

  get valid(): boolean {
    return this.#cells[this.#at] !== undefined
  }

  get memory(): ViewedBytes {
    return new ViewedBytes(this.buffer)
  }

  get cellBytes(): number {
    return this.#cells[this.#at]!.cellBytes
  }

  get tags(): number {
    return this.cell + this.cellBytes
  }

  get tagsBytes(): number {
    return this.#cells[this.#at]!.bytes.length - this.cellBytes
  }

  get sequenceId(): number {
    return this.#cells[this.#at]!.sequenceId
  }

  seekToFirst(): void {
    this.#moveTo(0)
  }

  seek(key: Buffer, keyCell: number): void {
    const at = this.#cells.findIndex((cell) => compareCells(cell.bytes, 0, key, keyCell) >= 0)
    this.#moveTo(at < 0 ? this.#cells.length : at)
  }

  next(): void {
    this.#moveTo(this.#at + 1)
  }

  seekForward(key: Buffer, keyCell: number): void {
    if (this.valid) this.seek(key, keyCell)
  }

  leaveColumn(): void {
    const left = this.#cells[this.#at]
    if (left === undefined) return
    const column = columnBytes(left)
    do this.#moveTo(this.#at + 1)
    while (this.valid && columnBytes(this.#cells[this.#at]!).equals(column))
  }

  seekBeforeRow(row: Buffer): void {
    this.#moveTo(this.#cells.findLastIndex((cell) => row.length === 0 || compareBytes(cell.row, row) < 0))
  }

  lend(): () => void {
    this.#loans++
    return () => {
      this.#loans--
      this.#spoil()
    }
  }

  close(): void {
    this.#isClosed = true
    this.#spoil()
    this.#onClose()
  }

  #spoil(): void {
    if (this.#isClosed && this.#loans === 0) for (const buffer of this.#shown) buffer.fill(0xee)
  }

  #moveTo(at: number): void {
    this.#at = at
    const cell = this.#cells[at]
    this.buffer = Buffer.alloc(this.cell + (cell?.bytes.length ?? 0) + 16, 0xee)
    if (cell !== undefined) this.buffer.set(cell.bytes, this.cell)
    this.#shown.push(this.buffer)
  }
}
