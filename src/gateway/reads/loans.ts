import type { LentResults } from '../../model/results.ts'
import type { Handouts } from '../../store/handouts.ts'

/** The part of a store that takes back lent memory. */
export type Lender = Pick<Handouts, 'release'>

/** Gives back the memory of encoded results. Nobody may read their cells after this. */
export function giveBack(lender: Lender, { loan }: LentResults): void {
  if (loan !== undefined) lender.release(loan)
}
