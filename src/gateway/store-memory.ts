import { HBaseError } from '../model/errors.ts'
import type { RequestMemory } from '../store/request-memory.ts'
import { type MemoryBudget, NoRoom, ROOM_WAIT_MS } from './memory-budget.ts'

const CHANGE = 'a change of large values'

/** The budget of all doors, for a store. */
export function requestMemory(budget: MemoryBudget): RequestMemory {
  return {
    bytesMax: budget.bytesMax,
    tryTake: (bytes) => {
      if (budget.free < bytes) return false
      budget.take(bytes, CHANGE)
      return true
    },
    takeLater: async (bytes, held, gone) => {
      let refusal: NoRoom
      try {
        budget.take(bytes, CHANGE)
        return
      } catch (error) {
        if (!(error instanceof NoRoom)) throw error
        refusal = error
      }
      const room = await budget.awaitRoom(refusal, () => held, ROOM_WAIT_MS, gone)
      if (room === 'refused') throw refusal
      if (room === 'gone')
        throw new HBaseError('CALLER_GONE', 'the client has hung up, and its change waited for memory')
    },
    give: (bytes) => budget.give(bytes),
    spent: (bytes) => budget.spent(bytes),
  }
}
