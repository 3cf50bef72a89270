import type { MemoryBudget } from '../../../gateway/limits/memory-budget.ts'
import type { MemoryGrant } from '../../../gateway/limits/memory-grant.ts'
import { LARGE_BYTES } from '../contract/rpc-service.ts'

/** The frame, and what is made of it. */
const OF_FRAME = 2

/**
 * Takes the memory of a call with a frame of so many bytes, which counts while it waits for the rest. Undefined where the call has its
 * memory at once, or needs none. Rejects with TOO_LARGE where not even an idle server has room for it, with OVERLOADED, and with
 * CALLER_GONE once `gone` is aborted.
 */
export function takeForCall(
  grant: MemoryGrant,
  { length }: Buffer,
  memory: MemoryBudget,
  gone?: AbortSignal,
): Promise<void> | undefined {
  if (length < LARGE_BYTES && !memory.isFull) return undefined
  try {
    grant.checkEver(OF_FRAME * length, 'the call')
  } catch (error) {
    return Promise.reject(error)
  }
  // To ask is no refusal, which would be counted.
  if (memory.allows(OF_FRAME * length, 'arrival', 0)) {
    grant.take(OF_FRAME * length, 'a call', 'arrival')
    return undefined
  }
  grant.note(length)
  return grant.atOnceOrLater(() => grant.take((OF_FRAME - 1) * length, 'a call', 'arrival'), gone)
}
