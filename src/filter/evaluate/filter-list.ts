import { compareCells } from '../../model/cell.ts'
import type { Turn } from '../turns/turn.ts'
import { BaseEvaluator } from './base-evaluator.ts'
import type { FilterEvaluator } from './filter-evaluator.ts'

/** The common part of lists in which all filters must pass and lists in which one must. HBase: FilterListBase. */
export abstract class FilterList extends BaseEvaluator {
  protected readonly filters: readonly FilterEvaluator[]
  protected readonly turn: Turn
  /** The filter with which a paused call goes on; 0 between calls. */
  protected at = 0
  #reversed = false
  readonly #hasFilterRow: boolean
  readonly #transforms: boolean

  constructor(filters: readonly FilterEvaluator[], turn: Turn) {
    super()
    this.filters = filters
    this.turn = turn
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
    const { filters, turn } = this
    while (this.at < filters.length) {
      turn.spend(1 + (cells.length >> 2))
      filters[this.at]!.filterRowCells(buffer, cells)
      this.at++
    }
    this.at = 0
  }

  override abandon(): void {
    this.at = 0
    for (const filter of this.filters) filter.abandon()
  }

  override isFamilyEssential(family: Buffer): boolean {
    return this.filters.length === 0 || this.filters.some((filter) => filter.isFamilyEssential(family))
  }

  override setReversed(reversed: boolean): void {
    for (const filter of this.filters) filter.setReversed(reversed)
    this.#reversed = reversed
  }

  /**
   * Compares in the direction of the scan.
   * QUIRK filter-rest-scan-star-reversed-true-family-eq-binary-b-or-column-prefix-12: lists reverse the order of cells
   * within a row too, though a reversed scan reads a row forwards.
   */
  protected compare(a: Buffer, aCell: number, b: Buffer, bCell: number): number {
    const order = compareCells(a, aCell, b, bCell)
    return this.#reversed ? -order : order
  }
}
