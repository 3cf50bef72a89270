import { readInt32 } from '../../model/bytes.ts'
import { CELL_HEADER_BYTES, cellBytes } from '../../model/cell.ts'
import { CELL_PREFIX_BYTES } from '../../model/cell-block.ts'
import { MutationBatch } from '../../model/mutation.ts'
import { writeTimestamp } from '../../model/timestamp.ts'
import { copyViewed, ViewedBytes } from '../../model/viewed-bytes.ts'
import type { ColumnFields } from './column-fields.ts'
import type { ProtocolReader } from './protocol.ts'

/** A batch being filled, with a view of its cells' present buffer. */
export class CellSink {
  readonly batch: MutationBatch
  #viewed: ViewedBytes

  /** `memory`: of the batch, or how many bytes of new memory. */
  constructor(memory: Buffer | number) {
    this.batch = new MutationBatch(memory)
    this.#viewed = new ViewedBytes(this.batch.cells.buffer)
  }

  /** Appends the cell of `column`, whose bytes are in `source`. */
  appendCell(
    column: ColumnFields,
    row: ViewedBytes,
    rowStart: number,
    rowLength: number,
    source: ViewedBytes,
    type: number,
  ): void {
    const { familyLength, qualifierLength, valueLength } = column
    const bytes = cellBytes(rowLength, familyLength, qualifierLength, valueLength)
    const prefix = this.#reserve(CELL_PREFIX_BYTES + bytes)
    const viewed = this.#viewed
    const { view } = viewed
    view.setInt32(prefix, bytes)
    view.setInt32(prefix + 4, bytes - CELL_HEADER_BYTES - valueLength)
    view.setInt32(prefix + 8, valueLength)
    view.setInt16(prefix + 12, rowLength)
    let at = copyViewed(row, rowStart, rowLength, viewed, prefix + 14)
    view.setUint8(at++, familyLength)
    at = copyViewed(source, column.familyStart, familyLength, viewed, at)
    at = copyViewed(source, column.qualifierStart, qualifierLength, viewed, at)
    view.setInt32(at, column.high)
    view.setInt32(at + 4, column.low)
    view.setUint8(at + 8, type)
    const { cells } = this.batch
    cells.length = copyViewed(source, column.valueStart, valueLength, viewed, at + 9)
    cells.count++
  }

  /** Makes room for `bytes` more; returns their offset. */
  #reserve(bytes: number): number {
    const { cells } = this.batch
    const at = cells.reserve(bytes)
    if (cells.buffer !== this.#viewed.buffer) this.#viewed = new ViewedBytes(cells.buffer)
    return at
  }
}

/** A batch's first capacity: cells take about as many bytes as the rest of the message that states them. */
export function capacityFor(reader: ProtocolReader): number {
  return reader.limit - reader.position + 64
}

/** Gives the timestamp to all cells from byte `start` on. */
export function stampCells(batch: MutationBatch, start: number, timestamp: bigint): void {
  const { buffer, length } = batch.cells
  let at = start
  while (at < length) {
    const cell = at + CELL_PREFIX_BYTES
    writeTimestamp(buffer, cell + CELL_HEADER_BYTES + readInt32(buffer, cell) - 9, timestamp)
    at = cell + readInt32(buffer, at)
  }
}
