import { compareCells } from '../../model/cell.ts'
import { BaseEvaluator } from './base-evaluator.ts'
import type { FilterEvaluator } from './filter-evaluator.ts'

/** What lists of filters have in common, whether all or one must pass. HBase: FilterListBase. */
export abstract class FilterList extends BaseEvaluator {
  protected readonly filters: readonly FilterEvaluator[]
  #reversed = false
  readonly #hasFilterRow: boolean
  readonly #transforms: boolean

  constructor(filters: readonly FilterEvaluator[]) {
    super()
    this.filters = filters
    this.#hasFilterRow = filters.some((filter) => filter.hasFilterRow)
    this.#transforms = filters.some((filter) => filter.transforms)
  }

  override get hasFilterRow(): boolean {
    return this.#hasFilterRow
  }

  override get transforms(): boolean {
    return this.#transforms
  }

  override reset(): void {
    for (const filter of this.filters) filter.reset()
  }

  override filterRowCells(buffer: Buffer, cells: number[]): void {
    for (const filter of this.filters) filter.filterRowCells(buffer, cells)
  }

  override isFamilyEssential(family: Buffer): boolean {
    return this.filters.length === 0 || this.filters.some((filter) => filter.isFamilyEssential(family))
  }

  override setReversed(reversed: boolean): void {
    for (const filter of this.filters) filter.setReversed(reversed)
    this.#reversed = reversed
  }

  /** In the direction of the scan; within a row too, as in HBase, though a reversed scan reads a row forwards. */
  protected compare(a: Buffer, aCell: number, b: Buffer, bCell: number): number {
    const order = compareCells(a, aCell, b, bCell)
    return this.#reversed ? -order : order
  }
}
