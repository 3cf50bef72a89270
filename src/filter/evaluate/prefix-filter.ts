import { compareRange } from '../../model/bytes.ts'
import { rowLength } from '../../model/cell.ts'
import { BaseEvaluator } from './base-evaluator.ts'
import { FilterCode } from './filter-code.ts'

export class PrefixFilter extends BaseEvaluator {
  readonly #prefix: Buffer
  #reversed = false
  /** The scan has met a row behind the prefix. */
  #isPast = false
  #rowFails = true

  constructor(prefix: Buffer) {
    super()
    this.#prefix = prefix
  }

  override setReversed(reversed: boolean): void {
    this.#reversed = reversed
  }

  override reset(): void {
    this.#rowFails = true
  }

  override filterRowKey(buffer: Buffer, cell: number): boolean {
    if (this.#isPast) return true
    const length = this.#prefix.length
    // HBase: PrefixFilter.filterRowKey, in which a row shorter than the prefix never ends the scan.
    if (rowLength(buffer, cell) < length) return true
    const order = compareRange(buffer, cell + 10, length, this.#prefix, 0, length)
    if (this.#reversed ? order < 0 : order > 0) this.#isPast = true
    this.#rowFails = order !== 0
    return this.#rowFails
  }

  override filterAllRemaining(): boolean {
    return this.#isPast
  }

  override filterCell(): FilterCode {
    return this.#rowFails ? FilterCode.NextRow : FilterCode.Include
  }

  override filterRow(): boolean {
    return this.#rowFails
  }
}
