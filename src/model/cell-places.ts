import { copyViewed, ViewedBytes } from './viewed-bytes.ts'

/** What `entries` holds of a cell: the index of its memory in `memories`, the KeyValue's offset there, its bytes. */
export const PLACE_INTS = 3
/** Memories that are remembered from one use to the next: to make a view costs as much as to copy some cells. */
const KEPT_MEMORIES_MAX = 8
const INITIAL_CELLS = 128
/** Before each cell of a cell block. */
const BLOCK_PREFIX_BYTES = 4

/** Where cells stand, in an order of their own, in memory that somebody else keeps for as long as this is read. */
export class CellPlaces {
  count = 0
  /** Bytes of the KeyValues together. */
  cellBytes = 0
  entries: Int32Array = new Int32Array(INITIAL_CELLS * PLACE_INTS)
  readonly memories: ViewedBytes[] = []
  readonly #indices = new Map<Buffer, number>()
  #last: Buffer | undefined
  #lastIndex = 0

  /** Bytes that the cells take in a cell block. */
  get blockBytes(): number {
    return this.count * BLOCK_PREFIX_BYTES + this.cellBytes
  }

  /** The KeyValue of `bytes` bytes at buffer[cell]. */
  add(buffer: Buffer, cell: number, bytes: number): void {
    if (buffer !== this.#last) this.#turnTo(buffer)
    const at = this.count * PLACE_INTS
    if (at === this.entries.length) this.#grow()
    const { entries } = this
    entries[at] = this.#lastIndex
    entries[at + 1] = cell
    entries[at + 2] = bytes
    this.count++
    this.cellBytes += bytes
  }

  /** Forgets what was added since `count` was this. */
  rewind(count: number): void {
    for (let i = count; i < this.count; i++) this.cellBytes -= this.entries[i * PLACE_INTS + 2]!
    this.count = count
  }

  clear(): void {
    this.count = 0
    this.cellBytes = 0
    if (this.memories.length <= KEPT_MEMORIES_MAX) return
    this.memories.length = 0
    this.#indices.clear()
    this.#last = undefined
  }

  /** Copies a KeyValue. */
  copyCell(index: number, target: ViewedBytes, offset: number): void {
    const at = index * PLACE_INTS
    const memory = this.memories[this.entries[at]!]!
    copyViewed(memory, this.entries[at + 1]!, this.entries[at + 2]!, target, offset)
  }

  #turnTo(buffer: Buffer): void {
    this.#last = buffer
    this.#lastIndex = this.#indexOf(buffer)
  }

  #indexOf(buffer: Buffer): number {
    const { memories } = this
    const known = this.#indices.get(buffer)
    if (known !== undefined) return known
    this.#indices.set(buffer, memories.length)
    return memories.push(new ViewedBytes(buffer)) - 1
  }

  #grow(): void {
    const grown = new Int32Array(this.entries.length * 2)
    grown.set(this.entries)
    this.entries = grown
  }
}
