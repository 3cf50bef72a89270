import { isSameColumn } from '../../../src/model/same-column.ts'
import type { ScatteredCells } from '../../../src/model/scattered-cells.ts'
import { isSameRow, plainCellBytes, ROW_BYTES_MAX, ROW_CELLS_MAX } from '../cells/plain-cells.ts'
import { CellArena } from './cell-arena.ts'
import type { LeafWalk } from './leaf-walk.ts'
import { NO_LEAF, NODE_LAYOUT, type TreeNodes } from './tree-nodes.ts'
import type { TreePlace } from './tree-place.ts'
import { nextLeaf, toNextLeaf } from './tree-steps.ts'

const { HEADER, STRIDE, LEAF_INTS, COUNT, ADDRESS } = NODE_LAYOUT
/** Addresses count by 8 bytes. */
const NEAR_DISTANCE = 64
/** Bytes of a row to load ahead: three lines of the processor's caches. */
const TOUCHED_BYTES = 128

/** Reads whole rows of puts from the leaves of a memstore's index. */
export class LeafRows {
  readonly #arena: CellArena
  readonly #nodes: TreeNodes
  readonly #walk: LeafWalk
  #touchedLeaf = NO_LEAF
  /** The last column had older versions. */
  #hasVersions = false
  /** Keeps the compiler from leaving out loads whose values are not needed. */
  touched = 0

  constructor(arena: CellArena, nodes: TreeNodes, walk: LeafWalk) {
    this.#arena = arena
    this.#nodes = nodes
    this.#walk = walk
  }

  /** Begins a read of several rows. */
  begin(): void {
    this.#touchedLeaf = NO_LEAF
  }

  /**
   * Adds the newest cells of the row at the place and goes behind the row. False where a cell is no put, has tags or came after the read point:
   * then some cells may be added, and the place is somewhere in the row.
   */
  add(place: TreePlace, target: ScatteredCells, readPoint: number): boolean {
    const arena = this.#arena
    const { leaves } = this.#nodes
    let { leaf, slot } = place
    if (leaf !== this.#touchedLeaf) this.#touch(leaf, slot)
    const bytesEnd = target.cellBytes + ROW_BYTES_MAX
    for (let cells = 0; cells < ROW_CELLS_MAX && target.cellBytes < bytesEnd; cells++) {
      const entry = leaf * LEAF_INTS + HEADER + slot * STRIDE
      const address = leaves[entry + ADDRESS]!
      const memory = arena.memoryOf(address)
      const cell = arena.cellOf(address)
      const { view } = memory
      if (CellArena.sequenceIdBefore(view, cell) > readPoint) return false
      if (CellArena.tagsBytesBefore(view, cell) > 0) return false
      const rowBytes = view.getUint16(cell + 8)
      const bytes = plainCellBytes(view, cell, rowBytes)
      if (bytes < 0) return false
      target.add(memory, cell, bytes)
      if (this.#goBehindColumn(place, view, cell, rowBytes)) return true
      leaf = place.leaf
      slot = place.slot
    }
    return false
  }

  /**
   * Has the processor load the first cells of the leaf's rows at the same time, where they lie all over the memory: it would wait for one after
   * the other.
   */
  #touch(leaf: number, slot: number): void {
    this.#touchedLeaf = leaf
    const { leaves } = this.#nodes
    const arena = this.#arena
    const entries = leaf * LEAF_INTS + HEADER
    const end = entries + leaves[leaf * LEAF_INTS + COUNT]! * STRIDE
    let first = entries + slot * STRIDE
    let touched = 0
    for (let entry = first + STRIDE; entry < end; entry += STRIDE) {
      if (leaves[entry + 2] === leaves[first + 2] && leaves[entry + 1] === leaves[first + 1]) continue
      const distance = leaves[entry + ADDRESS]! - leaves[first + ADDRESS]!
      // Rows that were written one after the other are loaded by the processor itself.
      if (distance > 0 && distance <= NEAR_DISTANCE) return
      const oldest = leaves[entry - STRIDE + ADDRESS]!
      if (entry - STRIDE > first) touched += arena.memoryOf(oldest).view.getUint8(arena.cellOf(oldest))
      first = entry
      const { view } = arena.memoryOf(leaves[entry + ADDRESS]!)
      const cell = arena.cellOf(leaves[entry + ADDRESS]!)
      touched += view.getUint8(cell)
      if (cell + TOUCHED_BYTES >= view.byteLength) continue
      touched += view.getUint8(cell + TOUCHED_BYTES / 2) + view.getUint8(cell + TOUCHED_BYTES)
    }
    this.touched = touched
  }

  /** Goes to the first cell of another column or row. True where it is of another row. */
  #goBehindColumn(place: TreePlace, view: DataView, cell: number, rowBytes: number): boolean {
    const { leaves } = this.#nodes
    const { leaf, slot } = place
    const entry = leaf * LEAF_INTS + HEADER + slot * STRIDE
    const isLast = slot + 1 === leaves[leaf * LEAF_INTS + COUNT]!
    const next = isLast ? nextLeaf(this.#nodes, place) : leaf
    const nextEntry = isLast ? next * LEAF_INTS + HEADER : entry + STRIDE
    if (next === NO_LEAF || !haveSameWords(leaves, entry, nextEntry)) {
      this.#step(place, isLast)
      return true
    }
    // Where rows have older versions, the walk looks at fewer cells than a comparison with the next one.
    if (this.#hasVersions) {
      this.#walk.leaveColumn(place)
      this.#hasVersions = place.slot !== (isLast ? 0 : slot + 1)
    } else {
      this.#step(place, isLast)
      if (!this.#isOfRow(place, view, cell, rowBytes)) return true
      if (!this.#isOfColumn(place, view, cell)) return false
      this.#walk.leaveColumn(place)
      this.#hasVersions = true
    }
    if (place.leaf === NO_LEAF) return true
    const there = place.leaf * LEAF_INTS + HEADER + place.slot * STRIDE
    return !haveSameWords(leaves, entry, there) || !this.#isOfRow(place, view, cell, rowBytes)
  }

  #step(place: TreePlace, isLast: boolean): void {
    if (isLast) toNextLeaf(this.#nodes, place)
    else place.slot++
  }

  #isOfRow({ leaf, slot }: TreePlace, view: DataView, cell: number, rowBytes: number): boolean {
    const address = this.#nodes.addressAt(leaf, slot)
    return isSameRow(view, cell, this.#arena.memoryOf(address).view, this.#arena.cellOf(address), rowBytes)
  }

  #isOfColumn({ leaf, slot }: TreePlace, view: DataView, cell: number): boolean {
    const address = this.#nodes.addressAt(leaf, slot)
    return isSameColumn(view, cell, this.#arena.memoryOf(address).view, this.#arena.cellOf(address))
  }
}

/** Whether two entries have the same twelve bytes of their rows. They mostly show where a row ends. */
function haveSameWords(leaves: Int32Array, a: number, b: number): boolean {
  return leaves[a + 2] === leaves[b + 2] && leaves[a + 1] === leaves[b + 1] && leaves[a] === leaves[b]
}
