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
  #leaf = NO_LEAF
  #slot = 0
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
    // Leaf 0 is always the leftmost: splits make their new leaf on the right.
    this.#moveTo(this.#nodes.countOf(0) > 0 ? 0 : NO_LEAF, 0)
    this.#skipForward()
  }

  seek(key: Buffer, keyCell: number): void {
    this.#tree.seek(key, keyCell)
    this.#moveTo(this.#tree.foundLeaf, this.#tree.foundSlot)
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
    if (this.#leaf === NO_LEAF) this.#tree.seek(key, keyCell)
    else this.#tree.seekFrom(this.#leaf, this.#slot, key, keyCell)
    this.#moveTo(this.#tree.foundLeaf, this.#tree.foundSlot)
    this.#skipForward()
  }

  leaveColumn(): void {
    if (!this.valid) return
    const { memory, cell } = this
    const isPast = this.#relocate()
    const { walk } = this.#tree
    if (!isPast || this.#isOfColumn(memory.view, cell)) {
      walk.leaveColumn(this.#leaf, this.#slot)
      this.#moveTo(walk.leaf, walk.slot)
    }
    this.#skipForward()
  }

  addPlainRows(target: PlainRowsTarget): void {
    if (!this.valid || this.#relocate()) return
    const { cells, counts, stopRow, otherRow } = target
    const { rows } = this.#tree
    rows.begin(this.#leaf, this.#slot)
    let leaf = this.#leaf
    let slot = this.#slot
    while (leaf !== NO_LEAF && !isFull(target)) {
      if (stopRow.length > 0 && !this.#isRowBefore(leaf, slot, stopRow)) break
      const before = cells.count
      if (!rows.add(cells, this.readPoint)) {
        cells.rewind(before)
        break
      }
      counts.push(cells.count - before)
      leaf = rows.leaf
      slot = rows.slot
      if (otherRow !== undefined && leaf !== NO_LEAF && !this.#isBeforeOther(leaf, slot, otherRow)) break
    }
    this.#moveTo(leaf, slot)
    this.#skipForward()
  }

  seekBeforeRow(row: Buffer): void {
    if (row.length === 0) {
      const last = this.#nodes.lastLeaf
      this.#moveTo(last, this.#nodes.countOf(last))
    } else {
      const key = Buffer.allocUnsafe(CELL_HEADER_BYTES + KEY_FIXED_BYTES + row.length)
      writeCell(key, 0, row, EMPTY, EMPTY, LATEST_HIGH, LATEST_LOW, MAXIMUM, EMPTY)
      this.#tree.seek(key, 0)
      const last = this.#nodes.lastLeaf
      if (this.#tree.foundLeaf === NO_LEAF) this.#moveTo(last, this.#nodes.countOf(last))
      else this.#moveTo(this.#tree.foundLeaf, this.#tree.foundSlot)
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

  #isRowBefore(leaf: number, slot: number, row: Buffer): boolean {
    const address = this.#nodes.addressAt(leaf, slot)
    const { buffer, view } = this.#arena.memoryOf(address)
    return isRowBefore(buffer, view, this.#arena.cellOf(address), row)
  }

  #isBeforeOther(leaf: number, slot: number, other: OtherRow): boolean {
    const address = this.#nodes.addressAt(leaf, slot)
    const { buffer, view } = this.#arena.memoryOf(address)
    return isBeforeOther(buffer, view, this.#arena.cellOf(address), other)
  }

  #moveTo(leaf: number, slot: number): void {
    this.#leaf = leaf
    this.#slot = slot
    this.#version = this.#tree.version
  }

  /** Finds the present cell again after changes. True if it was dropped: the place is then that of the next cell. */
  #relocate(): boolean {
    const tree = this.#tree
    if (this.#version === tree.version) return false
    tree.find(this.#address)
    this.#moveTo(tree.foundLeaf, tree.foundSlot)
    if (this.#leaf === NO_LEAF) return true
    const found = this.#nodes.addressAt(this.#leaf, this.#slot)
    return found !== this.#address && this.#arena.compare(found, this.#address) !== 0
  }

  /** Whether the cell at the place is of the column of another cell. */
  #isOfColumn(view: DataView, cell: number): boolean {
    if (this.#leaf === NO_LEAF) return false
    const address = this.#nodes.addressAt(this.#leaf, this.#slot)
    return isSameColumn(view, cell, this.#arena.memoryOf(address).view, this.#arena.cellOf(address))
  }

  #stepForward(): void {
    if (++this.#slot < this.#nodes.countOf(this.#leaf)) return
    this.#leaf = this.#nodes.nextLeaf(this.#leaf)
    this.#slot = 0
  }

  #stepBack(): void {
    if (--this.#slot >= 0) return
    this.#leaf = this.#nodes.previousLeaf(this.#leaf)
    this.#slot = this.#leaf === NO_LEAF ? 0 : this.#nodes.countOf(this.#leaf) - 1
  }

  #skipForward(): void {
    while (this.#leaf !== NO_LEAF) {
      if (this.#describe(this.#nodes.addressAt(this.#leaf, this.#slot))) return
      this.#stepForward()
    }
    this.valid = false
  }

  #skipBack(): void {
    while (this.#leaf !== NO_LEAF) {
      if (this.#describe(this.#nodes.addressAt(this.#leaf, this.#slot))) return
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
