/**
 * Cells one after the other in chunks. Each cell has a 31-bit address that never changes.
 *
 *     entry := sequenceId u48 | tagsBytes u16 | KeyValue | tags      at a multiple of 8
 *     address := chunk's index << 18 | entry's offset >> 3
 */

import { writeInt32 } from '../../../src/model/bytes.ts'
import { compareCells } from '../../../src/model/cell.ts'
import { ViewedBytes } from '../../../src/model/viewed-bytes.ts'
import { WordCopier } from '../platform/word-copier.ts'
import type { ChunkPool } from './chunk-pool.ts'

/** Bytes before the KeyValue in an entry. */
export const ENTRY_HEADER_BYTES = 8
/** The greatest id that fits the 48 bits of an entry. */
export const SEQUENCE_ID_MAX: number = 2 ** 48 - 1

const OFFSET_BITS = 18
const OFFSET_MASK: number = (1 << OFFSET_BITS) - 1
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
  /** Number of readers that may read the chunks after their release. */
  #loans = 0

  constructor(pool: ChunkPool) {
    this.#pool = pool
  }

  /** Bytes of the entries with their padding. */
  get bytes(): number {
    return this.#bytes
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
    const bytes = (ENTRY_HEADER_BYTES + cellBytes + tagsBytes + 7) & ~7
    let chunk = this.#chunk
    if (chunk === undefined || this.#next + bytes > chunk.length) chunk = this.#startChunk(bytes)
    const entry = this.#next
    const high = Math.floor(sequenceId / 0x1_0000_0000)
    chunk[entry] = high >>> 8
    chunk[entry + 1] = high
    writeInt32(chunk, entry + 2, sequenceId | 0)
    chunk[entry + 6] = tagsBytes >>> 8
    chunk[entry + 7] = tagsBytes
    this.#copier.copy(source, cell, chunk, entry + ENTRY_HEADER_BYTES, cellBytes)
    if (tagsBytes > 0) source.copy(chunk, entry + ENTRY_HEADER_BYTES + cellBytes, tags, tags + tagsBytes)
    this.#next = entry + bytes
    this.#bytes += bytes
    return ((this.#chunks.length - 1) << OFFSET_BITS) | (entry >>> 3)
  }

  #startChunk(bytes: number): Buffer {
    if (this.#chunks.length === CHUNKS_MAX)
      throw new RangeError(`a memstore has at most ${CHUNKS_MAX} chunks`)
    const isFirst = this.#chunks.length === 0
    const chunk = isFirst ? this.#pool.takeFirst(bytes) : this.#pool.take(bytes)
    this.#chunks.push(chunk)
    this.#memories.push(new ViewedBytes(chunk))
    this.#chunk = chunk
    this.#next = 0
    return chunk
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
    const order = compareCells(this.bufferOf(a), this.cellOf(a), this.bufferOf(b), this.cellOf(b))
    return order !== 0 ? order : this.sequenceIdOf(b) - this.sequenceIdOf(a)
  }

  /** Order of the entry and a key that sorts before every cell with that key. */
  compareToKey(address: number, key: Buffer, keyCell: number): number {
    const order = compareCells(this.bufferOf(address), this.cellOf(address), key, keyCell)
    return order !== 0 ? order : 1
  }

  /** Keeps the chunks from other uses until the returned function is called, once. */
  lend(): () => void {
    this.#loans++
    return () => {
      this.#loans--
    }
  }

  /** Gives the chunks back to the pool, unless a loan keeps them. No address is valid after that. */
  release(): void {
    if (this.#loans === 0) for (const chunk of this.#chunks) this.#pool.give(chunk)
    this.#chunks.length = 0
    this.#memories.length = 0
    this.#chunk = undefined
    this.#copier.reset()
  }
}
