/** The limits of a search that backtracks. */

import { HBaseError } from '../../model/errors.ts'

/** Steps that one search may take: some 20 ms; and how many more for each character of its text. */
export const BACKTRACK_STEPS_MAX = 250_000
export const BACKTRACK_STEPS_PER_CHARACTER = 16
/** Choices that may be open at a time. */
export const BACKTRACK_CHOICES_MAX = 1_000_000

/** Steps between two looks at the turn, and of what it counts for each; characters that one instruction takes between two. */
export const STEPS_A_LOOK = 4096
export const UNITS_A_STEP = 2
export const TAKEN_A_LOOK: number = 1 << 16

export function stepsFor(text: string): number {
  return BACKTRACK_STEPS_MAX + BACKTRACK_STEPS_PER_CHARACTER * text.length
}

export function tooLong(what: 'steps' | 'choices', limit: number, on: 'text' | 'row' = 'text'): HBaseError {
  return new HBaseError(
    'DO_NOT_RETRY',
    `the regular expression took more than ${limit} ${what} on one ${on}: one with look-around, back-references, ` +
      'atomic groups, possessive quantifiers or large repetitions is matched by trying one way after the other',
    { detail: { limit, what } },
  )
}
