/** The newest cells of one family, in memory and in order, until they are flushed. */

import { readInt32 } from '../../../src/model/bytes.ts'
import { CellType } from '../../../src/model/cell.ts'
import type { CellIterator, CellRun } from '../cells/cell-run.ts'
import { NO_CELLS } from '../cells/no-cells.ts'
import { CellArena, PENDING_ID, SEQUENCE_ID_MAX } from './cell-arena.ts'
import { CellTree } from './cell-tree.ts'
import type { ChunkPool } from './chunk-pool.ts'
import { MemstoreIterator } from './memstore-iterator.ts'
import { type PackedCells, packCells } from './packed-cells.ts'
import { type Publications, PublishedMemstore } from './published-memstore.ts'
import { PublishedTree } from './published-tree.ts'
import { SurplusVersions, type VersionsKept } from './surplus-versions.ts'

const NOTHING = (): void => undefined

interface EarlyReader {
  /** Lets go of the cells that it keeps. */
  leave: () => void
}

export class Memstore implements CellRun {
  maxSequenceId = 0
  /** Infinity while there are no cells. */
  minSequenceId: number = Number.POSITIVE_INFINITY
  /** Whether any cell has tags. */
  hasTags = false
  readonly #pool: ChunkPool
  readonly #kept: VersionsKept | undefined
  readonly #publications: Publications | undefined
  /** Made for the first cell, as what follows: of thousands of regions most have nothing in memory. */
  #arena: CellArena | undefined
  #tree: CellTree | undefined
  #surplus: SurplusVersions | undefined
  /** Readers that came before the first cell: they may stand at cells that come later. */
  #earlyReaders: Set<EarlyReader> | undefined
  #point: MemstoreIterator | undefined
  #published: PublishedMemstore | undefined
  /** Cells without a sequence id yet, and those of changes that were given up. */
  #pendingCells = 0

  /** `kept`: what it may drop of overwritten columns; undefined: nothing. `publications`: for other threads that read it. */
  constructor(pool: ChunkPool, kept?: VersionsKept, publications?: Publications) {
    this.#pool = pool
    this.#kept = kept
    this.#publications = publications
  }

  #begin(): CellArena {
    const publications = this.#publications
    const published = publications && new PublishedTree()
    const arena = new CellArena(this.#pool, published !== undefined)
    const tree = new CellTree(arena, published)
    if (published !== undefined && publications !== undefined)
      this.#published = new PublishedMemstore(this, { arena, nodes: tree.nodes, published }, publications)
    this.#arena = arena
    this.#tree = tree
    this.#surplus = this.#kept && new SurplusVersions(this.#kept, arena, tree.nodes)
    for (const reader of this.#earlyReaders ?? []) reader.leave = arena.read()
    this.#earlyReaders = undefined
    return arena
  }

  /** Its state for other threads; undefined where there are none, and before the first cell. */
  get published(): PublishedMemstore | undefined {
    return this.#published
  }

  get cellCount(): number {
    return this.#tree?.size ?? 0
  }

  /** Memory of the cells, of the places of dropped ones too, and of their index. It never shrinks. */
  get bytes(): number {
    const tree = this.#tree
    return tree === undefined || tree.size === 0 ? 0 : this.#arena!.bytes + tree.nodes.bytes
  }

  /** Bytes of the cells alone, as HBase reports the size of a memstore. */
  get dataBytes(): number {
    return this.#arena?.dataBytes ?? 0
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
    if (count === 0) return
    const arena = this.#arena!
    for (let i = 0; i < count; i++) arena.setSequenceId(addresses[i]!, sequenceId)
    this.#pendingCells -= count
    this.#note(sequenceId)
    this.#published?.changed()
  }

  #insert(
    source: Buffer,
    cell: number,
    cellBytes: number,
    tags: number,
    tagsBytes: number,
    sequenceId: number,
  ): number {
    const arena = this.#arena ?? this.#begin()
    const tree = this.#tree!
    const type = cell + 7 + readInt32(source, cell)
    if (source[type] === CellType.DeleteFamilyVersion)
      this.#surplus?.familyVersionDeleted(readInt32(source, type - 8), readInt32(source, type - 4))
    const address = arena.append(source, cell, cellBytes, tags, tagsBytes, sequenceId)
    const surplus = this.#surplus
    const isOverwrite = tree.insert(address, surplus)
    if (isOverwrite && surplus !== undefined) {
      const dropped = surplus.overwritten(tree.inserted, this.bytes)
      if (dropped > 0) tree.dropped(dropped)
    }
    if (tagsBytes > 0) this.hasTags = true
    this.#published?.changed()
    return address
  }

  #note(sequenceId: number): void {
    if (sequenceId > this.maxSequenceId) this.maxSequenceId = sequenceId
    if (sequenceId < this.minSequenceId) this.minSequenceId = sequenceId
  }

  mayHaveRow(): boolean {
    return this.cellCount > 0
  }

  mayHaveRows(): boolean {
    return this.cellCount > 0
  }

  mayHaveTimes(): boolean {
    return this.cellCount > 0
  }

  /** The cells up to the read point. An iterator of an empty memstore stays empty: later cells are above its read point. */
  iterator(readPoint: number): CellIterator {
    return this.#arena === undefined ? NO_CELLS : this.#newIterator(readPoint)
  }

  #newIterator(readPoint: number): MemstoreIterator {
    return new MemstoreIterator(this.#arena!, this.#tree!, Math.min(readPoint, SEQUENCE_ID_MAX))
  }

  pointIterator(readPoint: number): CellIterator {
    if (this.#arena === undefined) return NO_CELLS
    this.#point ??= this.#newIterator(readPoint)
    this.#point.readPoint = Math.min(readPoint, SEQUENCE_ID_MAX)
    return this.#point
  }

  /** A copy of all cells but pending ones for another thread, which `pause` lets be made in slices. No cell may come meanwhile. */
  async packed(pause: () => Promise<void>): Promise<PackedCells> {
    const arena = this.#arena
    if (arena === undefined) return { chunks: [], addresses: new Int32Array() }
    const isKept = (address: number): boolean => arena.sequenceIdOf(address) <= SEQUENCE_ID_MAX
    return packCells(arena.chunks, this.#tree!, pause, this.#pendingCells > 0 ? isKept : undefined)
  }

  /** Keeps cells that a reader may stand at, dropped ones too, until the returned function is called; once. */
  read(): () => void {
    return this.#arena?.read() ?? this.#readEarly()
  }

  #readEarly(): () => void {
    const reader: EarlyReader = { leave: NOTHING }
    this.#earlyReaders ??= new Set()
    this.#earlyReaders.add(reader)
    return () => {
      this.#earlyReaders?.delete(reader)
      reader.leave()
    }
  }

  /** After `free` the memory goes to the garbage collector, and not to other memstores. */
  keepFromReuse(): void {
    this.#arena?.lend()
  }

  /** Gives the memory back. The memstore and its iterators must not be read after that. */
  free(): void {
    this.#published?.freed()
    this.#arena?.release()
    this.#tree?.nodes.free()
  }
}
