import { CellBlock } from '../../../src/model/cell-block.ts'
import type { ScannedResults } from '../../../src/model/results.ts'
import type { ScatteredCells } from '../../../src/model/scattered-cells.ts'
import { ViewedBytes } from '../../../src/model/viewed-bytes.ts'
import type { Loans } from './loans.ts'
import type { ScannedFamilies } from './scanned-families.ts'

/**
 * Plain rows, whose cells are noted by their places in the runs. Several regions, one after the other, may add theirs: the batch keeps their
 * cells when they are closed.
 */
export class PlainBatch {
  readonly places: ScatteredCells
  /** Cells of each row. */
  readonly counts: number[] = []
  readonly #loans: Loans
  /** Each ends the loan of a region's cells. */
  readonly #ends: (() => void)[] = []

  constructor(loans: Loans) {
    this.#loans = loans
    this.places = loans.memory.takePlaces()
  }

  /** Keeps the cells that were added of a region. */
  keep(families: ScannedFamilies): void {
    this.#ends.push(families.essential[0]!.cells.lend())
  }

  /** Forgets the rows and cells that were added since there were so many. */
  rewind(rows: number, cells: number): void {
    this.counts.length = rows
    this.places.rewind(cells)
  }

  /** Lends the cells where the runs have them; all of them must be kept. */
  lent(): ScannedResults {
    const { places, counts } = this
    return { cells: places, counts, loan: this.#loans.lendRun(places, this.#end) }
  }

  /** Copies the cells into one block, and ends the batch. */
  gathered(): ScannedResults {
    const { memory } = this.#loans
    const { places, counts } = this
    const block = memory.take(places.byteLength)
    const end = places.copyTo(new ViewedBytes(block), 0)
    this.drop()
    return { cells: new CellBlock(block, 0, end), counts, loan: this.#loans.lendBlock(block) }
  }

  /** Gives the memory back. */
  drop(): void {
    this.#end()
    this.#loans.memory.giveBackPlaces(this.places)
  }

  readonly #end = (): void => {
    for (const end of this.#ends) end()
    this.#ends.length = 0
  }
}
