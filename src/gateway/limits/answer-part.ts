import type { MemoryBudget } from './memory-budget.ts'

/** The results, and their encoded form; other answers want memory at the same time. */
const PARTS_OF_FREE_MEMORY = 4

/** Bytes that an answer may have now whose client asks for the rest of it with its next call. */
export function answerPart({ free }: Pick<MemoryBudget, 'free'>): number {
  return Math.floor(free / PARTS_OF_FREE_MEMORY)
}
