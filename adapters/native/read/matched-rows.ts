import type { CellBlockBuilder } from '../../../src/model/cell-block.ts'
import type { CellMerge } from './cell-merge.ts'
import type { RowOrder } from './row-order.ts'
import type { RowSource } from './row-source.ts'
import type { ScannedFamilies } from './scanned-families.ts'

/** Rows whose cells the families' matchers choose one by one. */
export class MatchedRows implements RowSource {
  /** A merge that stood at the present row when the row was started. */
  first: CellMerge | undefined
  readonly #families: ScannedFamilies
  readonly #order: RowOrder
  readonly #batch: number
  /** Index of the essential family with which the present row goes on. */
  #family = 0
  /** Cells in the target with which a paused result is full; undefined: the next result is a new one. */
  #countMax: number | undefined

  /** `batch`: most cells in a result; 0: no limit. */
  constructor(families: ScannedFamilies, order: RowOrder, batch: number) {
    this.#families = families
    this.#order = order
    this.#batch = batch
  }

  startRow(): boolean {
    this.#order.leaveRow()
    const first = this.#order.first()
    this.first = first
    if (first === undefined) return false
    const { essential, row } = this.#families
    row.setToRowOf(first.buffer, first.cell)
    if (essential.length === 1) essential[0]!.startRow(true)
    else for (let i = 0; i < essential.length; i++) essential[i]!.startRow(false)
    this.#family = 0
    this.#countMax = undefined
    return true
  }

  readResult(target: CellBlockBuilder, length: number): boolean {
    const batch = this.#batch
    const count = this.#countMax ?? (batch > 0 ? target.count + batch : Number.POSITIVE_INFINITY)
    this.#countMax = count
    const families = this.#families.essential
    for (; this.#family < families.length; this.#family++) {
      if (!families[this.#family]!.readRow(target, count, length)) {
        this.#countMax = undefined
        return false
      }
    }
    this.#countMax = undefined
    return true
  }

  endRow(): boolean {
    return true
  }
}
