import { copyViewed, ViewedBytes } from './viewed-bytes.ts'

/** The numbers in `entries` for a cell: the index of its memory in `memories`, the KeyValue's offset there, its bytes. */
export const PLACE_INTS = 3
const INITIAL_CELLS = 128
const RECENT_MEMORIES = 16
/** Before each cell of a cell block. */
const BLOCK_PREFIX_BYTES = 4

/**
 * Cells that lie where a store has them, in an order of their own. The store keeps that memory unchanged until the loan
 * of the cells is released.
 */
export class ScatteredCells {
  count = 0
  /** Bytes of the KeyValues together. */
  cellBytes = 0
  entries: Int32Array = new Int32Array(INITIAL_CELLS * PLACE_INTS)
  /** In the order of the cells. One may come again, behind RECENT_MEMORIES others. */
  readonly memories: ViewedBytes[] = []
  #last: ViewedBytes | undefined
  #lastIndex = 0

  /** Bytes that the cells take in a cell block. */
  get byteLength(): number {
    return this.count * BLOCK_PREFIX_BYTES + this.cellBytes
  }

  /** The KeyValue of `bytes` bytes at `cell`. */
  add(memory: ViewedBytes, cell: number, bytes: number): void {
    if (memory !== this.#last) this.#change(memory)
    const at = this.count * PLACE_INTS
    if (at === this.entries.length) this.#grow()
    const { entries } = this
    entries[at] = this.#lastIndex
    entries[at + 1] = cell
    entries[at + 2] = bytes
    this.count++
    this.cellBytes += bytes
  }

  /** Forgets the cells that were added since `count` had this value. */
  rewind(count: number): void {
    for (let i = count; i < this.count; i++) this.cellBytes -= this.entries[i * PLACE_INTS + 2]!
    this.count = count
  }

  clear(): void {
    this.count = 0
    this.cellBytes = 0
    this.memories.length = 0
    this.#last = undefined
  }

  /** Copies the cells, or those from `first` to before `end`, as a cell block; returns the offset after it. */
  copyTo(target: ViewedBytes, offset: number, first = 0, end: number = this.count): number {
    const { entries, memories } = this
    const last = end * PLACE_INTS
    let at = offset
    for (let i = first * PLACE_INTS; i < last; i += PLACE_INTS) {
      const bytes = entries[i + 2]!
      target.view.setInt32(at, bytes)
      at = copyViewed(memories[entries[i]!]!, entries[i + 1]!, bytes, target, at + BLOCK_PREFIX_BYTES)
    }
    return at
  }

  /** Cells of several runs change between a few memories, which can be copied together if each is listed once. */
  #change(memory: ViewedBytes): void {
    this.#last = memory
    const { memories } = this
    const end = Math.max(0, memories.length - RECENT_MEMORIES)
    for (let i = memories.length - 1; i >= end; i--) {
      if (memories[i] !== memory) continue
      this.#lastIndex = i
      return
    }
    this.#lastIndex = memories.push(memory) - 1
  }

  #grow(): void {
    const grown = new Int32Array(this.entries.length * 2)
    grown.set(this.entries)
    this.entries = grown
  }
}
