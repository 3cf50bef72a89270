/** The limits of an answer where memory is short. */

import type { Limits } from './limits.ts'
import type { MemoryBudget } from './memory-budget.ts'

/** Milliseconds that a client has now to read each MiB of an answer: fewer while other requests wait for memory that unread answers hold. */
export function answerMsNow(
  { answerMs, scarceAnswerMs }: Pick<Limits, 'answerMs' | 'scarceAnswerMs'>,
  memory: Pick<MemoryBudget, 'isScarce'> | undefined,
): number {
  return memory?.isScarce === true ? Math.min(answerMs, scarceAnswerMs) : answerMs
}

/** An answer needs memory for its results and for their encoded form, and other answers need memory at the same time. */
const PARTS_OF_FREE_MEMORY = 4

/** The most bytes of an answer now, where the client asks for the rest with its next call. */
export function answerPart({ free }: Pick<MemoryBudget, 'free'>): number {
  return Math.floor(free / PARTS_OF_FREE_MEMORY)
}
