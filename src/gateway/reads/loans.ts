import type { LentResults } from '../../model/results.ts'
import type { Handouts } from '../../store/handouts.ts'

/** The part of a store that takes lent memory back. */
export type Lender = Pick<Handouts, 'release'>

/** Gives back the memory of results that are encoded. Their cells must not be read afterwards. */
export function giveBack(lender: Lender, { loan }: LentResults): void {
  if (loan !== undefined) lender.release(loan)
}
