import type { Limits } from './limits.ts'
import type { MemoryBudget } from './memory-budget.ts'

/** The time that clients have now for each MiB of an answer: less where other requests wait for memory that answers keep which are not read. */
export function answerMsNow(
  { answerMs, scarceAnswerMs }: Pick<Limits, 'answerMs' | 'scarceAnswerMs'>,
  memory: Pick<MemoryBudget, 'isScarce'> | undefined,
): number {
  return memory?.isScarce === true ? Math.min(answerMs, scarceAnswerMs) : answerMs
}
