import { someMemory } from '../../../src/model/mapped-memory.ts'
import { ScatteredCells } from '../../../src/model/scattered-cells.ts'
import { POISON } from '../platform/poison.ts'

/** Most buffers to keep: about as many scans hand out a batch in one turn. */
const KEPT_MAX = 4
/** Larger buffers are left to the garbage collector. */
const KEPT_BYTES_MAX = 1024 * 1024

/**
 * Memory of scanned blocks that readers have given back. The last buffer back is the first out: it is still in the
 * processor's caches, into which a new buffer would be loaded line by line.
 */
export class BlockMemory {
  readonly #kept: Buffer[] = []
  readonly #keptPlaces: ScatteredCells[] = []
  readonly #poisons: boolean

  /** `poisons` overwrites buffers that are given back, so that a late reader shows in a test. */
  constructor(poisons = false) {
    this.#poisons = poisons
  }

  /** A buffer of at least `bytes` bytes with any content. */
  take(bytes: number): Buffer {
    const kept = this.#kept.pop()
    return kept !== undefined && kept.length >= bytes ? kept : someMemory(bytes)
  }

  /** True if giving the buffer back has an effect. */
  wants(buffer: Buffer): boolean {
    return buffer.length <= KEPT_BYTES_MAX || this.#poisons
  }

  giveBack(buffer: Buffer): void {
    if (this.#poisons) buffer.fill(POISON)
    if (buffer.length <= KEPT_BYTES_MAX && this.#kept.length < KEPT_MAX) this.#kept.push(buffer)
  }

  /** Places of no cells yet. */
  takePlaces(): ScatteredCells {
    return this.#keptPlaces.pop() ?? new ScatteredCells()
  }

  giveBackPlaces(places: ScatteredCells): void {
    places.clear()
    if (this.#poisons) return
    if (places.entries.byteLength <= KEPT_BYTES_MAX && this.#keptPlaces.length < KEPT_MAX)
      this.#keptPlaces.push(places)
  }
}
