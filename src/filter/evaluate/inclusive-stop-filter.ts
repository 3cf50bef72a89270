import { BaseEvaluator } from './base-evaluator.ts'
import { compareRow } from './cell-parts.ts'
import { FilterCode } from './filter-code.ts'

/** Passes the rows up to and including one. */
export class InclusiveStopFilter extends BaseEvaluator {
  readonly #stopRow: Buffer
  #reversed = false
  #isPast = false

  constructor(stopRow: Buffer) {
    super()
    this.#stopRow = stopRow
  }

  override setReversed(reversed: boolean): void {
    this.#reversed = reversed
  }

  override filterRowKey(buffer: Buffer, cell: number): boolean {
    if (this.#isPast) return true
    const order = compareRow(buffer, cell, this.#stopRow)
    this.#isPast = this.#reversed ? order < 0 : order > 0
    return this.#isPast
  }

  override filterAllRemaining(): boolean {
    return this.#isPast
  }

  override filterCell(): FilterCode {
    return this.#isPast ? FilterCode.NextRow : FilterCode.Include
  }
}
