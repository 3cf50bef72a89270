import { compareRange } from '../../model/bytes.ts'
import { rowLength } from '../../model/cell.ts'
import type { FuzzyKey } from '../../model/filter.ts'
import { BaseEvaluator } from './base-evaluator.ts'
import { FilterCode } from './filter-code.ts'
import { FuzzyRule } from './fuzzy-rule.ts'
import { KeyCell } from './key-cell.ts'

/** Passes the rows that match one of several fuzzy keys; the filter seeks from one match to the next. */
export class FuzzyRowFilter extends BaseEvaluator {
  readonly #rules: readonly FuzzyRule[]
  readonly #hint = new KeyCell()
  /** The rules that rows ahead may match, ordered by the first such row; the nearest is the last. undefined: not asked yet. */
  #ahead: FuzzyRule[] | undefined
  /** The rule that the last row matched. */
  #matched = 0
  #rowFails = false
  #isDone = false
  #reversed = false

  constructor(keys: readonly FuzzyKey[], isMaskV2: boolean) {
    super()
    this.#rules = keys.map((key) => new FuzzyRule(key, isMaskV2))
  }

  override get isHinting(): boolean {
    return true
  }

  override setReversed(reversed: boolean): void {
    this.#reversed = reversed
  }

  override reset(): void {
    this.#rowFails = false
  }

  override filterRowKey(): boolean {
    return this.#isDone
  }

  override filterAllRemaining(): boolean {
    return this.#isDone
  }

  override filterCell(buffer: Buffer, cell: number): FilterCode {
    const rules = this.#rules
    const length = rowLength(buffer, cell)
    let index = this.#matched
    for (let tried = 0; tried < rules.length; tried++) {
      if (rules[index]!.isSatisfied(buffer, cell + 10, length)) {
        this.#matched = index
        return FilterCode.Include
      }
      index = index + 1 === rules.length ? 0 : index + 1
    }
    this.#matched = 0
    this.#rowFails = true
    return FilterCode.SeekNextUsingHint
  }

  override filterRow(): boolean {
    return this.#rowFails
  }

  override nextCellHint(buffer: Buffer, cell: number): Buffer | undefined {
    const ahead = this.#update(buffer, cell + 10, rowLength(buffer, cell))
    const nearest = ahead.at(-1)
    if (nearest === undefined) {
      this.#isDone = true
      return undefined
    }
    return this.#hint.firstOnRow(nearest.next, nearest.nextLength)
  }

  #update(buffer: Buffer, offset: number, length: number): FuzzyRule[] {
    if (this.#ahead === undefined) {
      this.#ahead = this.#rules.filter((rule) => rule.findNext(this.#reversed, buffer, offset, length))
      this.#ahead.sort((a, b) => this.#compare(b.next, 0, b.nextLength, a))
      return this.#ahead
    }
    for (;;) {
      const nearest = this.#ahead.at(-1)
      if (nearest === undefined || this.#compare(buffer, offset, length, nearest) < 0) return this.#ahead
      this.#ahead.pop()
      if (nearest.findNext(this.#reversed, buffer, offset, length)) this.#insert(nearest)
    }
  }

  #insert(rule: FuzzyRule): void {
    const ahead = this.#ahead!
    let from = 0
    let to = ahead.length
    while (from < to) {
      const middle = (from + to) >>> 1
      if (this.#compare(rule.next, 0, rule.nextLength, ahead[middle]!) > 0) to = middle
      else from = middle + 1
    }
    ahead.splice(from, 0, rule)
  }

  /** Compares a row with a rule's next row, in the direction of the scan. */
  #compare(row: Buffer, offset: number, length: number, { next, nextLength }: FuzzyRule): number {
    const order = compareRange(row, offset, length, next, 0, nextLength)
    return this.#reversed ? -order : order
  }
}
