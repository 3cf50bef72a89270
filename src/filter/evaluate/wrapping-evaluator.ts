import { BaseEvaluator } from './base-evaluator.ts'
import type { FilterEvaluator } from './filter-evaluator.ts'

/** The common part of filters that wrap another one. They do not ask for its hints, and not for its `filterRowCells`. */
export abstract class WrappingEvaluator extends BaseEvaluator {
  protected readonly filter: FilterEvaluator

  constructor(filter: FilterEvaluator) {
    super()
    this.filter = filter
  }

  override get hasFilterRow(): boolean {
    return true
  }

  override get transforms(): boolean {
    return this.filter.transforms
  }

  override reset(): void {
    this.filter.reset()
  }

  override abandon(): void {
    this.filter.abandon()
  }

  override valueForm(before: number, valueLength: number): number {
    return this.filter.valueForm(before, valueLength)
  }

  override isFamilyEssential(family: Buffer): boolean {
    return this.filter.isFamilyEssential(family)
  }
}
