/**
 * Cells one after the other in chunks. Each cell has a 31-bit address that never changes. Places of dropped cells are used
 * again, by cells of their size.
 *
 *     entry := sequenceId u48 | tagsBytes u16 | KeyValue | tags      at a multiple of 8
 *     address := chunk's index << 18 | entry's offset >> 3
 */

import { CELL_HEADER_BYTES, compareCells } from '../../../src/model/cell.ts'
import { compareVersions, isSameColumn } from '../../../src/model/same-column.ts'
import { ViewedBytes } from '../../../src/model/viewed-bytes.ts'
import { POISON } from '../platform/poison.ts'
import { WordCopier } from '../platform/word-copier.ts'
import type { ChunkPool } from './chunk-pool.ts'
import { NumberList, Replaced } from './published-tree.ts'
import { RetiredCells } from './retired-cells.ts'

/** Bytes before the KeyValue in an entry. */
export const ENTRY_HEADER_BYTES = 8
/** The greatest id that fits the 48 bits of an entry. */
export const SEQUENCE_ID_MAX: number = 2 ** 48 - 2
/** The sequence id of cells of a change that is not whole yet: greater than any read point. */
export const PENDING_ID: number = SEQUENCE_ID_MAX + 1

/** Larger entries are rounded up to a multiple of this, so that a cell which grows or shrinks a little finds a place. */
const LARGE_BYTES = 512
const LARGE_STEP_BYTES = 64

/** Bits of an address that are the offset in a chunk; for readers that have the chunks without their arena. */
export const OFFSET_BITS = 18
export const OFFSET_MASK: number = (1 << OFFSET_BITS) - 1
/** Chunks of a memstore that are small: with fewer, thousands of regions of some hundred rows would take a large one each. */
const SMALL_CHUNKS = 9
/** The bound that keeps an address a positive int32. */
const CHUNKS_MAX: number = 1 << (31 - OFFSET_BITS)

export class CellArena {
  readonly #pool: ChunkPool
  readonly #chunks: Buffer[] = []
  /** The chunks with their views. */
  readonly #memories: ViewedBytes[] = []
  readonly #copier = new WordCopier()
  #chunk: Buffer | undefined
  /** Where the next entry begins in the present chunk. */
  #next = 0
  #bytes = 0
  #dataBytes = 0
  /** Number of readers that may read the chunks after their release. */
  #loans = 0
  readonly #retired = new RetiredCells((address) => this.#freedBytes(address))
  /** Dropped cells that readers of an earlier publication may need; undefined: no other thread reads. */
  readonly #replaced: Replaced | undefined
  readonly #unneeded = new NumberList()

  /** `isPublished`: other threads read the cells, by a PublishedTree. */
  constructor(pool: ChunkPool, isPublished = false) {
    this.#pool = pool
    this.#replaced = isPublished ? new Replaced() : undefined
  }

  /** Bytes of the entries with their padding. */
  get bytes(): number {
    return this.#bytes
  }

  /** Bytes of the cells themselves, without those that have left the index. */
  get dataBytes(): number {
    return this.#dataBytes
  }

  get chunks(): readonly Buffer[] {
    return this.#chunks
  }

  /** Copies the KeyValue at source[cell] and its tags; returns the entry's address. */
  append(
    source: Buffer,
    cell: number,
    cellBytes: number,
    tags: number,
    tagsBytes: number,
    sequenceId: number,
  ): number {
    const bytes = placeBytes(ENTRY_HEADER_BYTES + cellBytes + tagsBytes)
    const retired = this.#retired.take(bytes)
    const address = retired >= 0 ? retired : this.#newPlace(bytes)
    // Places that are taken again are all over the chunks: their own views spare a new one for each cell.
    const memory = this.memoryOf(address)
    const { buffer, view } = memory
    const entry = (address & OFFSET_MASK) << 3
    writeSequenceId(view, entry, sequenceId)
    view.setUint16(entry + 6, tagsBytes)
    this.#copier.copyToViewed(source, cell, memory, entry + ENTRY_HEADER_BYTES, cellBytes)
    if (tagsBytes > 0) source.copy(buffer, entry + ENTRY_HEADER_BYTES + cellBytes, tags, tags + tagsBytes)
    this.#dataBytes += cellBytes + tagsBytes
    return address
  }

  #newPlace(bytes: number): number {
    const chunk = this.#chunk
    if (chunk === undefined || this.#next + bytes > chunk.length) this.#startChunk(bytes)
    const entry = this.#next
    this.#next = entry + bytes
    this.#bytes += bytes
    return ((this.#chunks.length - 1) << OFFSET_BITS) | (entry >>> 3)
  }

  #freedBytes(address: number): number {
    const bytes = this.#placeBytes(address)
    const entry = (address & OFFSET_MASK) << 3
    if (this.#pool.poisons) this.bufferOf(address).fill(POISON, entry, entry + bytes)
    return bytes
  }

  #placeBytes(address: number): number {
    return placeBytes(ENTRY_HEADER_BYTES + this.#cellAndTagsBytes(address))
  }

  #cellAndTagsBytes(address: number): number {
    const { view } = this.memoryOf(address)
    const cell = this.cellOf(address)
    const tagsBytes = CellArena.tagsBytesBefore(view, cell)
    return CELL_HEADER_BYTES + view.getInt32(cell) + view.getInt32(cell + 4) + tagsBytes
  }

  /** The cell has left the index: another one may take its place once no reader can be at it. */
  retire(address: number): void {
    this.#dataBytes -= this.#cellAndTagsBytes(address)
    if (this.#replaced === undefined) this.#retired.add(address)
    else this.#replaced.add(address)
  }

  /** As PublishedTree, of the dropped cells. */
  publish(epoch: number): void {
    this.#replaced?.publish(epoch)
  }

  get isWaiting(): boolean {
    return this.#replaced?.isWaiting === true
  }

  reclaim(epoch: number): void {
    const unneeded = this.#unneeded
    this.#replaced?.reclaim(epoch, unneeded)
    for (let i = 0; i < unneeded.count; i++) this.#retired.add(unneeded.items[i]!)
    unneeded.count = 0
  }

  /** Keeps all cells where they are, dropped ones too, until the returned function is called; once. */
  read(): () => void {
    return this.#retired.read()
  }

  #startChunk(bytes: number): void {
    if (this.#chunks.length === CHUNKS_MAX)
      throw new RangeError(`a memstore has at most ${CHUNKS_MAX} chunks`)
    const before = this.#chunks.length
    const chunk = before < SMALL_CHUNKS ? this.#pool.takeFirst(bytes, before) : this.#pool.take(bytes)
    this.addChunk(chunk)
    this.#chunk = chunk
    this.#next = 0
  }

  /** Adds a chunk that another thread has filled. */
  addChunk(chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#memories.push(new ViewedBytes(chunk))
  }

  /** The chunk that holds an entry. */
  bufferOf(address: number): Buffer {
    return this.#chunks[address >> OFFSET_BITS]!
  }

  memoryOf(address: number): ViewedBytes {
    return this.#memories[address >> OFFSET_BITS]!
  }

  /** Offset of an entry's KeyValue in its chunk. */
  cellOf(address: number): number {
    return ((address & OFFSET_MASK) << 3) + ENTRY_HEADER_BYTES
  }

  setSequenceId(address: number, sequenceId: number): void {
    writeSequenceId(this.memoryOf(address).view, (address & OFFSET_MASK) << 3, sequenceId)
  }

  sequenceIdOf(address: number): number {
    return CellArena.sequenceIdBefore(this.memoryOf(address).view, this.cellOf(address))
  }

  /** Sequence id of the entry whose KeyValue is at `cell`. */
  static sequenceIdBefore(chunk: DataView, cell: number): number {
    return chunk.getUint32(cell - 8) * 0x1_0000 + chunk.getUint16(cell - 4)
  }

  /** Bytes of the tags of the entry whose KeyValue is at `cell`. */
  static tagsBytesBefore(chunk: DataView, cell: number): number {
    return chunk.getUint16(cell - 2)
  }

  /** Order of compareCells, and of equal keys the greater sequence id first. Zero only for the same key and sequence id. */
  compare(a: number, b: number): number {
    const order = this.#compareKeys(a, b)
    return order !== 0 ? order : this.sequenceIdOf(b) - this.sequenceIdOf(a)
  }

  /** Whether the cells are of one column and `a` sorts before `b`. */
  isNewerVersion(a: number, b: number): boolean {
    const aCell = this.cellOf(a)
    const bCell = this.cellOf(b)
    const aView = this.memoryOf(a).view
    const bView = this.memoryOf(b).view
    if (!isSameColumn(aView, aCell, bView, bCell)) return false
    const order = compareVersions(aView, aCell, bView, bCell)
    if (order !== 0) return order < 0
    return CellArena.sequenceIdBefore(aView, aCell) > CellArena.sequenceIdBefore(bView, bCell)
  }

  /** Mostly the cells are versions of one column: comparing words shows that faster than bytes, and only the times remain. */
  #compareKeys(a: number, b: number): number {
    const aCell = this.cellOf(a)
    const bCell = this.cellOf(b)
    const aView = this.memoryOf(a).view
    const bView = this.memoryOf(b).view
    return isSameColumn(aView, aCell, bView, bCell)
      ? compareVersions(aView, aCell, bView, bCell)
      : compareCells(this.bufferOf(a), aCell, this.bufferOf(b), bCell)
  }

  /** Order of the entry and a key that sorts before every cell with that key. */
  compareToKey(address: number, key: Buffer, keyCell: number): number {
    const order = compareCells(this.bufferOf(address), this.cellOf(address), key, keyCell)
    return order !== 0 ? order : 1
  }

  /** Keeps the chunks from other uses until the returned function is called, once. */
  lend(): () => void {
    this.#loans++
    const endRead = this.read()
    return () => {
      this.#loans--
      endRead()
    }
  }

  /** Gives the chunks back to the pool, unless a loan keeps them. No address is valid after that. */
  release(): void {
    if (this.#loans === 0) for (const chunk of this.#chunks) this.#pool.give(chunk)
    this.#chunks.length = 0
    this.#memories.length = 0
    this.#retired.clear()
    this.#chunk = undefined
    this.#copier.reset()
  }
}

function writeSequenceId(chunk: DataView, entry: number, sequenceId: number): void {
  chunk.setUint16(entry, Math.floor(sequenceId / 0x1_0000_0000))
  chunk.setInt32(entry + 2, sequenceId | 0)
}

/** Size of the place of an entry of so many bytes: a multiple of 8. */
function placeBytes(entryBytes: number): number {
  return entryBytes <= LARGE_BYTES
    ? (entryBytes + 7) & ~7
    : Math.ceil(entryBytes / LARGE_STEP_BYTES) * LARGE_STEP_BYTES
}
