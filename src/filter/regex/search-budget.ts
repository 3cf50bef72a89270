import { Turn } from '../turns/turn.ts'
import { BACKTRACK_STEPS_MAX, BACKTRACK_STEPS_PER_CHARACTER } from './backtrack-limits.ts'

/** Steps that the searches of one row may take beyond those that each of them brings with it: some 40 ms. */
const ROW_STEPS_MAX = 2 * BACKTRACK_STEPS_MAX
/** Steps that any search may take. */
const SEARCH_STEPS = 500

/**
 * The steps that backtracking searches may take together before other requests have their turn: a filter may have thousands of
 * patterns, and a row thousands of cells. Searches that take what is usual bring their steps with them.
 */
export class SearchBudget {
  /** Ends between pieces of a search. */
  readonly turn: Turn
  #left = ROW_STEPS_MAX

  constructor(turn: Turn = new Turn()) {
    this.turn = turn
  }

  /** Steps that a search of a text may take. */
  stepsFor(text: string): number {
    this.#left += SEARCH_STEPS + BACKTRACK_STEPS_PER_CHARACTER * text.length
    return this.#left
  }

  spend(steps: number): void {
    this.#left -= steps
  }

  /** Another row begins. */
  reset(): void {
    this.#left = ROW_STEPS_MAX
  }
}
