/** The newest cells of one family, in memory and in order, until they are flushed. */

import { readInt32 } from '../../../src/model/bytes.ts'
import { CellType } from '../../../src/model/cell.ts'
import type { CellIterator, CellRun } from '../region/cell-run.ts'
import { CellArena, PENDING_ID, SEQUENCE_ID_MAX } from './cell-arena.ts'
import { CellTree } from './cell-tree.ts'
import type { ChunkPool } from './chunk-pool.ts'
import { MemstoreIterator } from './memstore-iterator.ts'
import { type PackedCells, packCells } from './packed-cells.ts'
import { SurplusVersions, type VersionsKept } from './surplus-versions.ts'

export class Memstore implements CellRun {
  maxSequenceId = 0
  /** Infinity while there are no cells. */
  minSequenceId: number = Number.POSITIVE_INFINITY
  /** Whether any cell has tags. */
  hasTags = false
  readonly #arena: CellArena
  readonly #tree: CellTree
  #point: MemstoreIterator | undefined
  /** Cells without a sequence id yet, and those of changes that were given up. */
  #pendingCells = 0
  readonly #surplus: SurplusVersions | undefined

  /** `kept`: what it may drop of overwritten columns; undefined: nothing. */
  constructor(pool: ChunkPool, kept?: VersionsKept) {
    this.#arena = new CellArena(pool)
    this.#tree = new CellTree(this.#arena)
    this.#surplus = kept && new SurplusVersions(kept, this.#arena, this.#tree.nodes)
  }

  get cellCount(): number {
    return this.#tree.size
  }

  /** Memory of the cells, of the places of dropped ones too, and of their index. It never shrinks. */
  get bytes(): number {
    return this.#tree.size === 0 ? 0 : this.#arena.bytes + this.#tree.nodes.bytes
  }

  /**
   * Copies the KeyValue at source[cell] and its tags. The cell replaces one with the same key and sequence id.
   */
  add(
    source: Buffer,
    cell: number,
    cellBytes: number,
    tags: number,
    tagsBytes: number,
    sequenceId: number,
  ): void {
    this.#insert(source, cell, cellBytes, tags, tagsBytes, sequenceId)
    this.#note(sequenceId)
  }

  /** As add, for a change that is not whole yet: no read sees the cell before `settle`. Returns the cell's address. */
  addPending(source: Buffer, cell: number, cellBytes: number, tags: number, tagsBytes: number): number {
    this.#pendingCells++
    return this.#insert(source, cell, cellBytes, tags, tagsBytes, PENDING_ID)
  }

  /** Gives pending cells their sequence id, greater than any so far. */
  settle(addresses: Int32Array, count: number, sequenceId: number): void {
    const arena = this.#arena
    for (let i = 0; i < count; i++) arena.setSequenceId(addresses[i]!, sequenceId)
    this.#pendingCells -= count
    if (count > 0) this.#note(sequenceId)
  }

  #insert(
    source: Buffer,
    cell: number,
    cellBytes: number,
    tags: number,
    tagsBytes: number,
    sequenceId: number,
  ): number {
    const tree = this.#tree
    const type = cell + 7 + readInt32(source, cell)
    if (source[type] === CellType.DeleteFamilyVersion)
      this.#surplus?.familyVersionDeleted(readInt32(source, type - 8), readInt32(source, type - 4))
    const address = this.#arena.append(source, cell, cellBytes, tags, tagsBytes, sequenceId)
    const isOverwrite = tree.insert(address)
    if (isOverwrite && this.#surplus !== undefined) {
      const { insertedLeaf, insertedSlot } = tree.nodes
      const dropped = this.#surplus.overwritten(insertedLeaf, insertedSlot, this.bytes)
      if (dropped > 0) tree.dropped(dropped)
    }
    if (tagsBytes > 0) this.hasTags = true
    return address
  }

  #note(sequenceId: number): void {
    if (sequenceId > this.maxSequenceId) this.maxSequenceId = sequenceId
    if (sequenceId < this.minSequenceId) this.minSequenceId = sequenceId
  }

  mayHaveRow(): boolean {
    return this.#tree.size > 0
  }

  mayHaveRows(): boolean {
    return this.#tree.size > 0
  }

  mayHaveTimes(): boolean {
    return this.#tree.size > 0
  }

  iterator(readPoint: number): CellIterator {
    return new MemstoreIterator(this.#arena, this.#tree, Math.min(readPoint, SEQUENCE_ID_MAX))
  }

  pointIterator(readPoint: number): CellIterator {
    this.#point ??= new MemstoreIterator(this.#arena, this.#tree, readPoint)
    this.#point.readPoint = Math.min(readPoint, SEQUENCE_ID_MAX)
    return this.#point
  }

  /** A copy of all cells but pending ones for another thread, which `pause` lets be made in slices. No cell may come meanwhile. */
  packed(pause: () => Promise<void>): Promise<PackedCells> {
    const isKept = (address: number): boolean => this.#arena.sequenceIdOf(address) <= SEQUENCE_ID_MAX
    return packCells(this.#arena.chunks, this.#tree, pause, this.#pendingCells > 0 ? isKept : undefined)
  }

  /** Keeps cells that a reader may stand at, dropped ones too, until the returned function is called; once. */
  read(): () => void {
    return this.#arena.read()
  }

  /** After `free` the memory goes to the garbage collector, and not to other memstores. */
  keepFromReuse(): void {
    this.#arena.lend()
  }

  /** Gives the memory back. The memstore and its iterators must not be read after that. */
  free(): void {
    this.#arena.release()
    this.#tree.nodes.free()
  }
}
