/**
 * Cells of the log on their way into the memstores. A log has them in the order of their writes, so that each cell in turn would be put into
 * another leaf of another region's memstore, whose memory the processor has to load first. Very many are gathered, by their places in
 * the log, and put in by region and nearly in the order of their rows.
 */

import { readInt32 } from '../../../src/model/bytes.ts'
import { rowLength, rowOffset } from '../../../src/model/cell.ts'
import { CELL_PREFIX_BYTES, type CellBlock } from '../../../src/model/cell-block.ts'
import { STEP_ELEMENTS, type Steps } from '../../../src/model/steps.ts'
import type { Region } from './region.ts'

/**
 * So many that each of some thousands of regions has several. Their places and their bytes in the log together fit the last of the processor's
 * caches.
 */
const CELLS_MAX: number = 1 << 17
/** A key has an index in its lower bits, and four bytes of a row above. */
const INDEX_SPAN: number = 2 ** 20
/** Bytes by which a region's memstores grow in a step. */
const STEP_BYTES = 256 * 1024
/** Cells that are put in between two looks at these bytes: each may have some megabytes. */
const LARGE_CELLS = 8
/** So few cells are put in as they come. */
const SORTED_MIN = 8

const NO_LOG: Buffer = Buffer.alloc(0)

export class ReplayedCells {
  #log: Buffer = NO_LOG
  #count = 0
  // Of each cell: its place in the log, its sequence id, and the index of its region.
  readonly #cells: Int32Array
  readonly #sequenceIds: Float64Array
  readonly #owners: Int32Array
  readonly #regions: Region[] = []
  readonly #indexes = new Map<Region, number>()
  /** Indexes of cells, by region. */
  readonly #order: Int32Array
  readonly #keys: Float64Array
  readonly #grew: (bytes: number) => void

  /** `grew`: called when memstores have grown by so many bytes. */
  constructor(grew: (bytes: number) => void, cellsMax: number = CELLS_MAX) {
    this.#grew = grew
    this.#cells = new Int32Array(cellsMax)
    this.#sequenceIds = new Float64Array(cellsMax)
    this.#owners = new Int32Array(cellsMax)
    this.#order = new Int32Array(cellsMax)
    this.#keys = new Float64Array(cellsMax)
  }

  /**
   * Gathers the cells of a record of the region, whose memory must not change before `insertAll`, from place `from` on. Returns the place of the
   * first that it has no room for, or `end`: then `insertAll` comes first, and after it the rest.
   */
  add(region: Region, { buffer, start, end }: CellBlock, sequenceId: number, from: number = start): number {
    if (buffer !== this.#log) {
      if (this.#count > 0) return from
      this.#log = buffer
    }
    const owner = this.#ownerOf(region)
    let at = from
    for (; at < end && this.#count < this.#cells.length; at += CELL_PREFIX_BYTES + readInt32(buffer, at)) {
      const index = this.#count++
      this.#cells[index] = at + CELL_PREFIX_BYTES
      this.#sequenceIds[index] = sequenceId
      this.#owners[index] = owner
    }
    return at
  }

  #ownerOf(region: Region): number {
    const known = this.#indexes.get(region)
    if (known !== undefined) return known
    const owner = this.#regions.push(region) - 1
    this.#indexes.set(region, owner)
    return owner
  }

  /** Puts the cells into the memstores: those of a row in the order of the log. Between two steps the memstores have some of them. */
  *insertAll(): Steps<void> {
    const ends = this.#orderByRegion()
    for (const [owner, region] of this.#regions.entries()) {
      const [from, to] = [ends[owner]!, ends[owner + 1]!]
      yield
      if (to - from >= SORTED_MIN) yield* this.#sortByRow(from, to)
      for (let at = from; at < to; yield) at = this.#insertSome(region, at, to)
    }
    this.#count = 0
    this.#regions.length = 0
    this.#indexes.clear()
    this.#log = NO_LOG
  }

  /** Inserts so many cells as make a step; returns the index of the next one. */
  #insertSome(region: Region, from: number, to: number): number {
    const before = region.memstoreBytes
    const end = Math.min(to, from + STEP_ELEMENTS)
    let at = from
    while (at < end && region.memstoreBytes - before < STEP_BYTES) {
      const few = Math.min(end, at + LARGE_CELLS)
      this.#insert(region, at, few)
      at = few
    }
    this.#grew(region.memstoreBytes - before)
    return at
  }

  #insert(region: Region, from: number, to: number): void {
    const log = this.#log
    for (let at = from; at < to; at++) {
      const index = this.#order[at]!
      region.insertCell(log, this.#cells[index]!, this.#sequenceIds[index]!)
    }
  }

  /** Returns where the cells of each region begin in `#order`, and at last where they all end. */
  #orderByRegion(): Int32Array {
    const owners = this.#owners
    const count = this.#count
    const ends = new Int32Array(this.#regions.length + 1)
    for (let i = 0; i < count; i++) ends[owners[i]! + 1]!++
    for (let owner = 1; owner < ends.length; owner++) ends[owner]! += ends[owner - 1]!
    const next = ends.slice()
    for (let i = 0; i < count; i++) this.#order[next[owners[i]!]!++] = i
    return ends
  }

  /** Sorts by the first four bytes behind the common beginning of all rows. Cells with the same ones stay in their order. */
  *#sortByRow(from: number, to: number): Steps<void> {
    const common = this.#commonBytes(from, to)
    yield
    const isSorted = this.#fillKeys(from, to, common)
    yield
    if (isSorted) return
    this.#keys.subarray(0, to - from).sort()
    yield
    this.#orderByKeys(from, to)
  }

  /** True where they are in order already. */
  #fillKeys(from: number, to: number, common: number): boolean {
    const order = this.#order
    const log = this.#log
    const keys = this.#keys
    let isSorted = true
    let last = 0
    for (let at = from; at < to; at++) {
      const word = wordOf(log, this.#cells[order[at]!]!, common)
      isSorted &&= word >= last
      last = word
      keys[at - from] = word * INDEX_SPAN + at - from
    }
    return isSorted
  }

  #orderByKeys(from: number, to: number): void {
    const order = this.#order
    const sorted = new Int32Array(to - from)
    for (let i = 0; i < sorted.length; i++) {
      const key = this.#keys[i]!
      sorted[i] = order[from + key - Math.floor(key / INDEX_SPAN) * INDEX_SPAN]!
    }
    order.set(sorted, from)
  }

  /** Bytes with which all rows begin. */
  #commonBytes(from: number, to: number): number {
    const log = this.#log
    const cell = this.#cells[this.#order[from]!]!
    const first = rowOffset(cell)
    let common = rowLength(log, cell)
    for (let at = from + 1; at < to && common > 0; at++) {
      const other = this.#cells[this.#order[at]!]!
      const row = rowOffset(other)
      common = Math.min(common, rowLength(log, other))
      for (let i = 0; i < common; i++) if (log[first + i] !== log[row + i]) common = i
    }
    return common
  }
}

/** Four bytes of a cell's row from `skipped` on, with zeros behind its end. */
function wordOf(log: Buffer, cell: number, skipped: number): number {
  const at = rowOffset(cell) + skipped
  const left = rowLength(log, cell) - skipped
  if (left >= 4) return readInt32(log, at) >>> 0
  let word = 0
  for (let i = 0; i < 4; i++) word = (word << 8) | (i < left ? log[at + i]! : 0)
  return word >>> 0
}
