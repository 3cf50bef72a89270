/** The newest cells of one family, in memory and in order, until they are flushed. */

import type { CellIterator, CellRun } from '../region/cell-run.ts'
import { CellArena } from './cell-arena.ts'
import { CellTree } from './cell-tree.ts'
import type { ChunkPool } from './chunk-pool.ts'
import { MemstoreIterator } from './memstore-iterator.ts'
import { type PackedCells, packCells } from './packed-cells.ts'

export class Memstore implements CellRun {
  maxSequenceId = 0
  /** Whether any cell has tags. */
  hasTags = false
  readonly #arena: CellArena
  readonly #tree: CellTree

  constructor(pool: ChunkPool) {
    this.#arena = new CellArena(pool)
    this.#tree = new CellTree(this.#arena)
  }

  get cellCount(): number {
    return this.#tree.size
  }

  /** Memory of the cells and their index. */
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
    this.#tree.insert(this.#arena.append(source, cell, cellBytes, tags, tagsBytes, sequenceId))
    if (tagsBytes > 0) this.hasTags = true
    if (sequenceId > this.maxSequenceId) this.maxSequenceId = sequenceId
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
    return new MemstoreIterator(this.#arena, this.#tree, readPoint)
  }

  /** A copy of all cells for another thread, which `pause` lets be made in slices. No cell may come meanwhile. */
  packed(pause: () => Promise<void>): Promise<PackedCells> {
    return packCells(this.#arena.chunks, this.#tree, pause)
  }

  /** Gives the memory back. The memstore and its iterators must not be read after that. */
  free(): void {
    this.#arena.release()
  }
}
