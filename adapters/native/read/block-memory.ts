import { ScatteredCells } from '../../../src/model/scattered-cells.ts'

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

  /** At least `bytes` bytes of any content. */
  take(bytes: number): Buffer {
    const kept = this.#kept.pop()
    return kept !== undefined && kept.length >= bytes ? kept : Buffer.allocUnsafe(bytes)
  }

  giveBack(buffer: Buffer): void {
    if (buffer.length <= KEPT_BYTES_MAX && this.#kept.length < KEPT_MAX) this.#kept.push(buffer)
  }

  /** Of no cells. */
  takePlaces(): ScatteredCells {
    return this.#keptPlaces.pop() ?? new ScatteredCells()
  }

  giveBackPlaces(places: ScatteredCells): void {
    places.clear()
    if (places.entries.byteLength <= KEPT_BYTES_MAX && this.#keptPlaces.length < KEPT_MAX)
      this.#keptPlaces.push(places)
  }
}
