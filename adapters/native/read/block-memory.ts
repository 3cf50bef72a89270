import { ScatteredCells } from '../../../src/model/scattered-cells.ts'
import { POISON } from '../platform/poison.ts'

/** Buffers that are kept: as many scans as hand out a batch in one turn. */
const KEPT_MAX = 4
/** Larger ones are left to the garbage collector. */
const KEPT_BYTES_MAX = 1024 * 1024

/**
 * Memory of scanned blocks that readers have given back, the last one first: it is still in the processor's caches, where
 * a new buffer would have to be brought in line by line.
 */
export class BlockMemory {
  readonly #kept: Buffer[] = []
  readonly #keptPlaces: ScatteredCells[] = []
  readonly #poisons: boolean

  /** `poisons`: what is given back is overwritten, so that a test sees who reads it still. */
  constructor(poisons = false) {
    this.#poisons = poisons
  }

  /** At least `bytes` bytes of any content. */
  take(bytes: number): Buffer {
    const kept = this.#kept.pop()
    return kept !== undefined && kept.length >= bytes ? kept : Buffer.allocUnsafe(bytes)
  }

  /** Whether it makes a difference that the buffer is given back. */
  wants(buffer: Buffer): boolean {
    return buffer.length <= KEPT_BYTES_MAX || this.#poisons
  }

  giveBack(buffer: Buffer): void {
    if (this.#poisons) buffer.fill(POISON)
    if (buffer.length <= KEPT_BYTES_MAX && this.#kept.length < KEPT_MAX) this.#kept.push(buffer)
  }

  /** Of no cells. */
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
