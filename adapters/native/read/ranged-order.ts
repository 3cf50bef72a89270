import type { Steps } from '../../../src/model/steps.ts'
import type { CellMerge } from './cell-merge.ts'
import type { RowOrder } from './row-order.ts'
import type { RowRangeCursor } from './row-range-cursor.ts'
import type { ScannedFamilies } from './scanned-families.ts'

/** Wraps another order and seeks over rows that cannot pass the scan's filter. */
export class RangedOrder implements RowOrder {
  readonly #order: RowOrder
  readonly #ranges: RowRangeCursor
  readonly #families: ScannedFamilies

  /** `ranges`: in the direction of `order`. */
  constructor(order: RowOrder, ranges: RowRangeCursor, families: ScannedFamilies) {
    this.#order = order
    this.#ranges = ranges
    this.#families = families
  }

  seekFirstRow(): void {
    this.#order.seekFirstRow()
  }

  seekFirstRowInSteps(): Steps<void> {
    return this.#order.seekFirstRowInSteps()
  }

  leaveRow(): void {
    this.#order.leaveRow()
  }

  first(): CellMerge | undefined {
    const ranges = this.#ranges
    for (;;) {
      const first = this.#order.first()
      if (first === undefined) return undefined
      const range = ranges.rangeAt(first)
      if (range === undefined || ranges.isWithin(first, range)) return range && first
      for (const { cells } of this.#families.essential) if (cells.valid) ranges.seek(cells, range)
    }
  }
}
