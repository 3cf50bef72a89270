/** Walks the cells of some rows of a store file. HBase: HalfStoreFileReader. */

import { compareBytes, compareRange, EMPTY, writeInt32 } from '../../../src/model/bytes.ts'
import { CELL_HEADER_BYTES, rowLength, rowOffset } from '../../../src/model/cell.ts'
import type { ViewedBytes } from '../../../src/model/viewed-bytes.ts'
import type { CellIterator } from '../cells/cell-run.ts'
import { firstKeyOfRow } from './index-key.ts'

/** Rows from `from` on, before `to`; EMPTY: from the first, to the last. */
export interface RowBounds {
  readonly from: Buffer
  readonly to: Buffer
}

export function isWithinBounds({ from, to }: RowBounds, row: Buffer): boolean {
  return compareBytes(row, from) >= 0 && (to.length === 0 || compareBytes(row, to) < 0)
}

/** Whether a row of [start, stop] may lie within; EMPTY is open. */
export function boundsOverlap({ from, to }: RowBounds, start: Buffer, stop: Buffer): boolean {
  if (stop.length > 0 && compareBytes(stop, from) < 0) return false
  return to.length === 0 || start.length === 0 || compareBytes(start, to) < 0
}

export class BoundedIterator implements CellIterator {
  valid = false
  readonly #cells: CellIterator
  readonly #bounds: RowBounds
  readonly #first: Buffer

  constructor(cells: CellIterator, bounds: RowBounds) {
    this.#cells = cells
    this.#bounds = bounds
    this.#first = bounds.from.length === 0 ? EMPTY : firstCellOfRow(bounds.from)
  }

  get buffer(): Buffer {
    return this.#cells.buffer
  }

  get memory(): ViewedBytes {
    return this.#cells.memory
  }

  get cell(): number {
    return this.#cells.cell
  }

  get cellBytes(): number {
    return this.#cells.cellBytes
  }

  get tags(): number {
    return this.#cells.tags
  }

  get heldBytes(): number {
    return this.#cells.heldBytes
  }

  get tagsBytes(): number {
    return this.#cells.tagsBytes
  }

  get sequenceId(): number {
    return this.#cells.sequenceId
  }

  seekToFirst(): void {
    if (this.#first.length === 0) this.#cells.seekToFirst()
    else this.#cells.seek(this.#first, 0)
    this.valid = this.#isBeforeEnd()
  }

  seek(key: Buffer, keyCell: number): void {
    const { from } = this.#bounds
    if (compareRange(key, rowOffset(keyCell), rowLength(key, keyCell), from, 0, from.length) < 0) {
      this.seekToFirst()
      return
    }
    this.#cells.seek(key, keyCell)
    this.valid = this.#isBeforeEnd()
  }

  next(): void {
    if (!this.valid) return
    this.#cells.next()
    this.valid = this.#isBeforeEnd()
  }

  seekForward(key: Buffer, keyCell: number): void {
    if (!this.valid) return
    this.#cells.seekForward(key, keyCell)
    this.valid = this.#isBeforeEnd()
  }

  leaveColumn(): void {
    if (!this.valid) return
    this.#cells.leaveColumn()
    this.valid = this.#isBeforeEnd()
  }

  seekBeforeRow(row: Buffer): void {
    const { from, to } = this.#bounds
    const isBeyond = row.length === 0 || (to.length > 0 && compareBytes(row, to) > 0)
    this.#cells.seekBeforeRow(isBeyond ? to : row)
    this.valid = this.#cells.valid && this.#compareRow(from) >= 0
  }

  lend(): () => void {
    return this.#cells.lend()
  }

  close(): void {
    this.valid = false
    this.#cells.close()
  }

  #isBeforeEnd(): boolean {
    const { to } = this.#bounds
    return this.#cells.valid && (to.length === 0 || this.#compareRow(to) < 0)
  }

  #compareRow(row: Buffer): number {
    const { buffer, cell } = this.#cells
    return compareRange(buffer, rowOffset(cell), rowLength(buffer, cell), row, 0, row.length)
  }
}

/** A KeyValue before all of the row's. */
function firstCellOfRow(row: Buffer): Buffer {
  const key = firstKeyOfRow(row)
  const header = Buffer.alloc(CELL_HEADER_BYTES)
  writeInt32(header, 0, key.length)
  return Buffer.concat([header, key])
}
