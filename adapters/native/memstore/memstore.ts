/**
 * The newest cells of one family, in memory and in order. It takes cells until it becomes a snapshot to be flushed, and
 * lives until it is released and the last iterator on it is closed; then its chunks are used again.
 */

import { HBaseError } from '../../../src/model/errors.ts'
import type { CellIterator, CellRun } from '../cell-run.ts'
import { CellArena } from './cell-arena.ts'
import { CellTree } from './cell-tree.ts'
import type { ChunkPool } from './chunk-pool.ts'
import { MemstoreIterator } from './memstore-iterator.ts'

export class Memstore implements CellRun {
  maxSequenceId = 0
  readonly #arena: CellArena
  readonly #tree: CellTree
  #iterators = 0
  #released = false

  constructor(pool: ChunkPool) {
    this.#arena = new CellArena(pool)
    this.#tree = new CellTree(this.#arena)
  }

  get cellCount(): number {
    return this.#tree.size
  }

  /** Memory that the cells and their index take. */
  get bytes(): number {
    return this.#tree.size === 0 ? 0 : this.#arena.bytes + this.#tree.indexBytes
  }

  /**
   * Copies the KeyValue at source[cell] and its tags. A cell with the key and the sequence id of one that is here takes
   * its place.
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
    if (this.#released) throw new HBaseError('NOT_SERVING_REGION', 'the memstore has been flushed or dropped')
    this.#iterators++
    return new MemstoreIterator(this.#arena, this.#tree, readPoint, () => {
      this.#iterators--
      this.#freeIfUnused()
    })
  }

  /** The region needs it no more. */
  release(): void {
    this.#released = true
    this.#freeIfUnused()
  }

  #freeIfUnused(): void {
    if (this.#released && this.#iterators === 0) this.#arena.release()
  }
}
