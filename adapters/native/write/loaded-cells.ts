/**
 * The cells of loaded files, row by row, as blocks for the log. Of cells with one key, only the newest is taken: they would be one in the memstore, and
 * the last of them would count.
 */

import { rowLength, rowOffset } from '../../../src/model/cell.ts'
import { CellBlockBuilder } from '../../../src/model/cell-block.ts'
import { isStepEnd, type Steps } from '../../../src/model/steps.ts'
import type { StoreRun } from '../cells/store-run.ts'
import { CellMerge } from '../read/cell-merge.ts'
import { compareFamilyCells, keyOf } from '../read/run-head.ts'

const FIRST_BYTES = 64 * 1024

/** A block ends with the first row that makes it so large, and within a row that makes it larger than `rowBytesMax`. */
export interface BlockSizes {
  readonly bytes: number
  readonly rowBytesMax: number
}

export class LoadedCells {
  readonly #families: readonly FamilyCells[]
  readonly #sizes: BlockSizes
  #hasBegun = false

  /** `families`: the files of each, the newest first. */
  constructor(families: readonly (readonly StoreRun[])[], sizes: BlockSizes) {
    this.#families = families.map((runs) => new FamilyCells(runs))
    this.#sizes = sizes
  }

  /** The next cells; none at the end. Each block has memory of its own. Throws what files throw. */
  *next(): Steps<CellBlockBuilder> {
    const cells = new CellBlockBuilder(FIRST_BYTES)
    for (const family of this.#families) {
      if (this.#hasBegun) family.resume()
      else family.begin()
    }
    this.#hasBegun = true
    while (cells.length < this.#sizes.bytes) {
      const row = this.#leastRow()
      if (row === undefined) break
      for (const family of this.#families)
        if (cells.length < this.#sizes.rowBytesMax)
          yield* family.appendRow(row, cells, this.#sizes.rowBytesMax)
      yield
    }
    for (const family of this.#families) family.rest()
    return cells
  }

  #leastRow(): Buffer | undefined {
    let least: Buffer | undefined
    for (const { row } of this.#families)
      if (row !== undefined && (least === undefined || row.compare(least) < 0)) least = row
    return least === undefined ? undefined : Buffer.from(least)
  }

  close(): void {
    for (const family of this.#families) family.close()
  }
}

/** The cells of a family's files. */
class FamilyCells {
  readonly #merge: CellMerge
  /** The key of the last cell that was taken, in memory that stays until `rest`; -1: there is none. */
  #last: Buffer | undefined
  #lastCell = 0

  constructor(runs: readonly StoreRun[]) {
    const sources = runs.map((run) => ({ run, readPoint: Number.POSITIVE_INFINITY, cacheBlocks: false }))
    const iterators = runs.map((run) => run.iterator(Number.POSITIVE_INFINITY, false))
    this.#merge = new CellMerge(iterators, sources, true)
  }

  begin(): void {
    this.#merge.seekToFirst()
  }

  /** Lets go of the blocks that the files are read by. */
  rest(): void {
    if (this.#last !== undefined) this.#last = keyOf(this.#last, this.#lastCell)
    this.#lastCell = 0
    this.#merge.rest()
  }

  resume(): void {
    this.#merge.resumeReplaced()
    this.#passOver()
  }

  /** The row that comes next, where it lies; undefined at the end. */
  get row(): Buffer | undefined {
    const { valid, buffer, cell } = this.#merge
    if (!valid) return undefined
    const at = rowOffset(cell)
    return buffer.subarray(at, at + rowLength(buffer, cell))
  }

  /** Appends the cells of the row, if it comes next, up to the number of bytes. */
  *appendRow(row: Buffer, cells: CellBlockBuilder, bytesMax: number): Steps<void> {
    const merge = this.#merge
    for (let step = 0; this.row?.equals(row) === true && cells.length < bytesMax; step++) {
      merge.appendTo(cells)
      this.#last = merge.buffer
      this.#lastCell = merge.cell
      merge.next()
      this.#passOver()
      if (isStepEnd(step)) yield
    }
  }

  /** Moves over cells with the key of the last one. */
  #passOver(): void {
    const merge = this.#merge
    const last = this.#last
    if (last === undefined) return
    while (merge.valid && compareFamilyCells(merge.buffer, merge.cell, last, this.#lastCell) === 0)
      merge.next()
  }

  close(): void {
    this.#merge.close()
  }
}
