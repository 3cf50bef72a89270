import type { LentResults } from '../model/results.ts'
import type { Handouts } from '../store/handouts.ts'

/** What takes back the memory that results are in. */
export type Lender = Pick<Handouts, 'release'>

/** Gives back the memory of results that have been encoded: their cells must not be read any more. */
export function giveBack(lender: Lender, { loan }: LentResults): void {
  if (loan !== undefined) lender.release(loan)
}
