import { HBaseError } from '../../model/errors.ts'
import type { RequestMemory } from '../../store/request-memory.ts'
import type { MemoryBudget } from './memory-budget.ts'
import { NoRoom } from './memory-line.ts'

const CHANGE = 'a change of large values'

/** The doors' budget of memory as a store takes from it, for changes of large values. */
export function requestMemory(budget: MemoryBudget): RequestMemory {
  return {
    bytesMax: budget.bytesMax,
    tryTake: (bytes, held) => {
      if (!budget.allows(bytes, 'change', held)) return false
      budget.take(bytes, CHANGE, 'change', held)
      return true
    },
    takeLater: async (bytes, request, gone) => {
      let refusal: NoRoom
      try {
        budget.take(bytes, CHANGE, 'change', request.bytes)
        return
      } catch (error) {
        if (!(error instanceof NoRoom)) throw error
        refusal = error
      }
      const room = await budget.awaitRoom(refusal, request, gone)
      if (room === 'refused') throw refusal
      if (room === 'gone')
        throw new HBaseError('CALLER_GONE', 'the client has hung up, and its change waited for memory')
    },
    give: (bytes) => budget.give(bytes),
    spent: (bytes) => budget.spent(bytes),
  }
}
