import { BaseEvaluator } from './base-evaluator.ts'
import { lengthOfForm, VALUE_EMPTY } from './value-form.ts'

/** Passes every cell without its value, or with the value's length in its place. */
export class KeyOnlyFilter extends BaseEvaluator {
  readonly #lengthAsValue: boolean

  constructor(lengthAsValue: boolean) {
    super()
    this.#lengthAsValue = lengthAsValue
  }

  override get transforms(): boolean {
    return true
  }

  override valueForm(before: number, valueLength: number): number {
    return this.#lengthAsValue ? lengthOfForm(before, valueLength) : VALUE_EMPTY
  }
}
