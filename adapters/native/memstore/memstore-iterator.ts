import { EMPTY } from '../../../src/model/bytes.ts'
import { CELL_HEADER_BYTES, KEY_FIXED_BYTES, writeCell } from '../../../src/model/cell.ts'
import { isSameColumn } from '../../../src/model/same-column.ts'
import { LATEST_HIGH, LATEST_LOW } from '../../../src/model/timestamp.ts'
import { ViewedBytes } from '../../../src/model/viewed-bytes.ts'
import type { CellIterator } from '../cells/cell-run.ts'
import {
  isBeforeOther,
  isFull,
  isRowBefore,
  type OtherRow,
  type PlainRowsTarget,
} from '../cells/plain-cells.ts'
import { CellArena } from './cell-arena.ts'
import type { CellTree } from './cell-tree.ts'
import { NO_LEAF, type TreeNodes } from './tree-nodes.ts'
import { TreePlace } from './tree-place.ts'
import { toEnd, toFirst, toNextLeaf, toPreviousLeaf } from './tree-steps.ts'

/** KeyValue.Type.Maximum: sorts before every cell of its row. */
const MAXIMUM = 255

/**
 * Walks a memstore's cells up to a read point. Inserts may go on: the iterator stays at its cell, and the read point hides
 * the new ones. If its cell is dropped meanwhile, it goes on with the next; a caller that keeps it over a turn of the event loop
 * must keep the memstore's cells (Memstore.read).
 */
export class MemstoreIterator implements CellIterator {
  readonly heldBytes = 0
  valid = false
  buffer: Buffer = EMPTY
  cell = 0
  memory: ViewedBytes = ViewedBytes.EMPTY
  cellBytes = 0
  tagsBytes = 0
  /** The greatest sequence id that it shows. It may change while the iterator stands nowhere. */
  readPoint: number
  readonly #arena: CellArena
  readonly #tree: CellTree
  readonly #nodes: TreeNodes
  readonly #place = new TreePlace()
  /** The entry under the iterator, and the tree's version when its place was looked up. */
  #address = 0
  #version = -1

  constructor(arena: CellArena, tree: CellTree, readPoint: number) {
    this.#arena = arena
    this.#tree = tree
    this.#nodes = tree.nodes
    this.readPoint = readPoint
  }

  get tags(): number {
    return this.cell + this.cellBytes
  }

  get sequenceId(): number {
    return CellArena.sequenceIdBefore(this.memory.view, this.cell)
  }

  seekToFirst(): void {
    toFirst(this.#nodes, this.#place)
    this.#skipForward()
  }

  seek(key: Buffer, keyCell: number): void {
    this.#tree.seek(this.#place, key, keyCell)
    this.#skipForward()
  }

  next(): void {
    if (!this.valid) return
    if (!this.#relocate()) this.#stepForward()
    this.#skipForward()
  }

  seekForward(key: Buffer, keyCell: number): void {
    if (!this.valid) return
    this.#relocate()
    if (this.#place.leaf === NO_LEAF) this.#tree.seek(this.#place, key, keyCell)
    else this.#tree.seekFrom(this.#place, key, keyCell)
    this.#skipForward()
  }

  leaveColumn(): void {
    if (!this.valid) return
    const { memory, cell } = this
    const isPast = this.#relocate()
    if (!isPast || this.#isOfColumn(memory.view, cell)) this.#tree.walk.leaveColumn(this.#place)
    this.#skipForward()
  }

  addPlainRows(target: PlainRowsTarget): void {
    if (!this.valid || this.#relocate()) return
    const { cells, counts, stopRow, otherRow } = target
    const { rows } = this.#tree
    const place = this.#place
    rows.begin()
    while (place.leaf !== NO_LEAF && !isFull(target)) {
      if (stopRow.length > 0 && !this.#isRowBefore(stopRow)) break
      const before = cells.count
      const { leaf, slot } = place
      if (!rows.add(place, cells, this.readPoint)) {
        cells.rewind(before)
        if (place.leaf === leaf) place.slot = slot
        else this.#tree.find(this.#nodes.addressAt(leaf, slot), place)
        break
      }
      counts.push(cells.count - before)
      if (otherRow !== undefined && place.leaf !== NO_LEAF && !this.#isBeforeOther(otherRow)) break
    }
    this.#skipForward()
  }

  seekBeforeRow(row: Buffer): void {
    const place = this.#place
    if (row.length === 0) toEnd(this.#nodes, place)
    else {
      const key = Buffer.allocUnsafe(CELL_HEADER_BYTES + KEY_FIXED_BYTES + row.length)
      writeCell(key, 0, row, EMPTY, EMPTY, LATEST_HIGH, LATEST_LOW, MAXIMUM, EMPTY)
      this.#tree.seek(place, key, 0)
      if (place.leaf === NO_LEAF) toEnd(this.#nodes, place)
    }
    this.#stepBack()
    this.#skipBack()
  }

  lend(): () => void {
    return this.#arena.lend()
  }

  close(): void {
    this.valid = false
    this.memory = ViewedBytes.EMPTY
    this.buffer = EMPTY
  }

  #isRowBefore(row: Buffer): boolean {
    const address = this.#addressAtPlace()
    const { buffer, view } = this.#arena.memoryOf(address)
    return isRowBefore(buffer, view, this.#arena.cellOf(address), row)
  }

  #isBeforeOther(other: OtherRow): boolean {
    const address = this.#addressAtPlace()
    const { buffer, view } = this.#arena.memoryOf(address)
    return isBeforeOther(buffer, view, this.#arena.cellOf(address), other)
  }

  #addressAtPlace(): number {
    return this.#nodes.addressAt(this.#place.leaf, this.#place.slot)
  }

  /** Finds the present cell again after changes. True if it was dropped: the place is then that of the next cell. */
  #relocate(): boolean {
    const tree = this.#tree
    if (this.#version === tree.version) return false
    tree.find(this.#address, this.#place)
    if (this.#place.leaf === NO_LEAF) return true
    const found = this.#addressAtPlace()
    return found !== this.#address && this.#arena.compare(found, this.#address) !== 0
  }

  /** Whether the cell at the place is of the column of another cell. */
  #isOfColumn(view: DataView, cell: number): boolean {
    if (this.#place.leaf === NO_LEAF) return false
    const address = this.#addressAtPlace()
    return isSameColumn(view, cell, this.#arena.memoryOf(address).view, this.#arena.cellOf(address))
  }

  #stepForward(): void {
    const place = this.#place
    if (++place.slot === this.#nodes.countOf(place.leaf)) toNextLeaf(this.#nodes, place)
  }

  #stepBack(): void {
    if (--this.#place.slot < 0) toPreviousLeaf(this.#nodes, this.#place)
  }

  #skipForward(): void {
    this.#version = this.#tree.version
    while (this.#place.leaf !== NO_LEAF) {
      if (this.#describe(this.#addressAtPlace())) return
      this.#stepForward()
    }
    this.valid = false
  }

  #skipBack(): void {
    this.#version = this.#tree.version
    while (this.#place.leaf !== NO_LEAF) {
      if (this.#describe(this.#addressAtPlace())) return
      this.#stepBack()
    }
    this.valid = false
  }

  /** Stands on the entry; returns false and changes nothing if the entry was written after the read point. */
  #describe(address: number): boolean {
    const arena = this.#arena
    const memory = arena.memoryOf(address)
    const cell = arena.cellOf(address)
    const { view } = memory
    if (CellArena.sequenceIdBefore(view, cell) > this.readPoint) return false
    this.#address = address
    this.valid = true
    if (memory !== this.memory) {
      this.memory = memory
      this.buffer = memory.buffer
    }
    this.cell = cell
    this.cellBytes = CELL_HEADER_BYTES + view.getInt32(cell) + view.getInt32(cell + 4)
    this.tagsBytes = CellArena.tagsBytesBefore(view, cell)
    return true
  }
}
