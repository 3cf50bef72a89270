import type { LentResults } from '../model/results.ts'
import type { Handouts } from '../store/handouts.ts'

/** Gives back the memory of results that have been encoded: their cells must not be read any more. */
export function giveBack(handouts: Handouts, { loan }: LentResults): void {
  if (loan !== undefined) handouts.release(loan)
}
