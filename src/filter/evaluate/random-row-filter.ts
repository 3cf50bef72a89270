import { BaseEvaluator } from './base-evaluator.ts'
import { FilterCode } from './filter-code.ts'

/** Passes each row by chance: none below 0, all above 1. */
export class RandomRowFilter extends BaseEvaluator {
  readonly #chance: number
  readonly #random: () => number
  #rowFails = false

  constructor(chance: number, random: () => number) {
    super()
    this.#chance = chance
    this.#random = random
  }

  override get hasFilterRow(): boolean {
    return true
  }

  override reset(): void {
    this.#rowFails = false
  }

  override filterRowKey(): boolean {
    if (this.#chance < 0) this.#rowFails = true
    else if (this.#chance > 1) this.#rowFails = false
    else this.#rowFails = !(this.#random() < this.#chance)
    return this.#rowFails
  }

  override filterCell(): FilterCode {
    return this.#rowFails ? FilterCode.NextRow : FilterCode.Include
  }

  override filterRow(): boolean {
    return this.#rowFails
  }
}
