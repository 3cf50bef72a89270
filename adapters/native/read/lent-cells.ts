import type { CellKeeper } from '../../../src/model/cell-block.ts'
import type { ScatteredCells } from '../../../src/model/scattered-cells.ts'
import type { BlockMemory } from './block-memory.ts'

/** Cells that a batch shows where their run has them, until they are copied or nobody looks at them any more. */
export class LentCells implements CellKeeper {
  readonly #places: ScatteredCells
  readonly #memory: BlockMemory
  readonly #endLoan: () => void
  /** What they were copied to. */
  #copy: Buffer | undefined

  constructor(places: ScatteredCells, memory: BlockMemory, endLoan: () => void) {
    this.#places = places
    this.#memory = memory
    this.#endLoan = endLoan
  }

  take(bytes: number): Buffer {
    this.#copy = this.#memory.take(bytes)
    return this.#copy
  }

  gathered(): void {
    this.#endLoan()
    this.#memory.giveBackPlaces(this.#places)
  }

  /** Once. */
  release(): void {
    if (this.#copy === undefined) this.gathered()
    else this.#memory.giveBack(this.#copy)
  }
}
