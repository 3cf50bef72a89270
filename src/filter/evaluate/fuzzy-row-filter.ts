import { compareRange } from '../../model/bytes.ts'
import { rowLength } from '../../model/cell.ts'
import { Turn } from '../turns/turn.ts'
import { BaseEvaluator } from './base-evaluator.ts'
import { FilterCode } from './filter-code.ts'
import type { FuzzyRule } from './fuzzy-rule.ts'
import { KeyCell } from './key-cell.ts'

/** The turn of calls that may not pause. */
const ENDLESS = new Turn()

/** Passes the rows that match one of several fuzzy keys; the filter seeks from one match to the next. */
export class FuzzyRowFilter extends BaseEvaluator {
  readonly #rules: readonly FuzzyRule[]
  readonly #turn: Turn
  readonly #hint = new KeyCell()
  /**
   * The rules that rows ahead may match, ordered by the first such row. A heap: no rule's row is before that of its parent, which is at
   * half its index. HBase: FuzzyRowFilter.RowTracker's priority queue.
   */
  readonly #ahead: FuzzyRule[] = []
  /** The next rule to be asked for its first row ahead. */
  #unasked = 0
  /** The rule that the last row matched. */
  #matched = 0
  /** Rules that a paused call has asked about the cell; 0 between calls. */
  #tried = 0
  #rowFails = false
  #isDone = false
  #reversed = false

  constructor(rules: readonly FuzzyRule[], turn: Turn) {
    super()
    this.#rules = rules
    this.#turn = turn
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

  override abandon(): void {
    this.#tried = 0
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
    for (; this.#tried < rules.length; this.#tried++) {
      this.#turn.spend(1)
      const index = (this.#matched + this.#tried) % rules.length
      if (!rules[index]!.isSatisfied(buffer, cell + 10, length)) continue
      this.#matched = index
      this.#tried = 0
      return FilterCode.Include
    }
    // The filter finds the row here, since it may not pause when the scan asks for the hint. Backwards a rule's next row depends on the row
    // where the search begins. HBase searches only when its scan asks for a hint, and another filter may keep the scan from asking.
    if (!this.#reversed) this.#findNearest(buffer, cell + 10, length, this.#turn)
    this.#tried = 0
    this.#matched = 0
    this.#rowFails = true
    return FilterCode.SeekNextUsingHint
  }

  override filterRow(): boolean {
    return this.#rowFails
  }

  override nextCellHint(buffer: Buffer, cell: number): Buffer | undefined {
    this.#findNearest(buffer, cell + 10, rowLength(buffer, cell), ENDLESS)
    const nearest = this.#ahead[0]
    if (nearest === undefined) {
      this.#isDone = true
      return undefined
    }
    return this.#hint.firstOnRow(nearest.next, nearest.nextLength)
  }

  /** Moves every rule whose first row is not ahead of this one. */
  #findNearest(buffer: Buffer, offset: number, length: number, turn: Turn): void {
    const ahead = this.#ahead
    const rules = this.#rules
    for (; this.#unasked < rules.length; this.#unasked++) {
      turn.spend(1)
      const rule = rules[this.#unasked]!
      if (!rule.findNext(this.#reversed, buffer, offset, length)) continue
      ahead.push(rule)
      this.#rise(ahead.length - 1)
    }
    for (;;) {
      const nearest = ahead[0]
      if (nearest === undefined || this.#compare(buffer, offset, length, nearest) < 0) return
      turn.spend(1)
      if (!nearest.findNext(this.#reversed, buffer, offset, length)) {
        const last = ahead.pop()!
        if (ahead.length === 0) return
        ahead[0] = last
      }
      this.#sink()
    }
  }

  /** Puts the rule at the place where it belongs in the heap, which is no later one. */
  #rise(place: number): void {
    const ahead = this.#ahead
    const rule = ahead[place]!
    let at = place
    while (at > 0) {
      const above = (at - 1) >>> 1
      if (!this.#isBefore(rule, ahead[above]!)) break
      ahead[at] = ahead[above]!
      at = above
    }
    ahead[at] = rule
  }

  /** Puts the first rule of the heap at the place where it belongs. */
  #sink(): void {
    const ahead = this.#ahead
    const rule = ahead[0]!
    let at = 0
    for (let below = 1; below < ahead.length; below = 2 * at + 1) {
      if (below + 1 < ahead.length && this.#isBefore(ahead[below + 1]!, ahead[below]!)) below++
      if (!this.#isBefore(ahead[below]!, rule)) break
      ahead[at] = ahead[below]!
      at = below
    }
    ahead[at] = rule
  }

  #isBefore(a: FuzzyRule, b: FuzzyRule): boolean {
    return this.#compare(a.next, 0, a.nextLength, b) < 0
  }

  /** Compares a row with a rule's next row, in the direction of the scan. */
  #compare(row: Buffer, offset: number, length: number, { next, nextLength }: FuzzyRule): number {
    const order = compareRange(row, offset, length, next, 0, nextLength)
    return this.#reversed ? -order : order
  }
}
