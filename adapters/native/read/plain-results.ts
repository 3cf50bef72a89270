/** Results of plain rows, whose cells were noted by their places. */

import { CellBlock } from '../../../src/model/cell-block.ts'
import type { ScannedResults } from '../../../src/model/results.ts'
import type { ScatteredCells } from '../../../src/model/scattered-cells.ts'
import { ViewedBytes } from '../../../src/model/viewed-bytes.ts'
import type { Loans } from './loans.ts'
import type { ScannedFamilies } from './scanned-families.ts'

/** Lends the cells where the runs have them. */
export function lentPlaces(
  cells: ScatteredCells,
  counts: number[],
  families: ScannedFamilies,
  loans: Loans,
): ScannedResults {
  const endOfLoan = families.essential[0]!.cells.lend()
  return { cells, counts, loan: loans.lendRun(cells, endOfLoan) }
}

/** Copies the cells into one block. */
export function gatheredPlaces(places: ScatteredCells, counts: number[], loans: Loans): ScannedResults {
  const { memory } = loans
  const block = memory.take(places.byteLength)
  const end = places.copyTo(new ViewedBytes(block), 0)
  memory.giveBackPlaces(places)
  return { cells: new CellBlock(block, 0, end), counts, loan: loans.lendBlock(block) }
}
