import type { MemoryBudget } from '../../../gateway/limits/memory-budget.ts'
import type { MemoryGrant } from '../../../gateway/limits/memory-grant.ts'
import { LARGE_BYTES } from '../contract/rpc-service.ts'

/** Memory of a call, as a multiple of its frame: the frame, and the objects made of it. */
const FRAME_COPIES = 2

/**
 * Takes the memory of a call. The frame counts while the call waits for the rest. Returns undefined where the call has its memory at once,
 * or needs none. Rejects with TOO_LARGE where not even an idle server has the memory, with OVERLOADED after a wait in vain, and with
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
    grant.checkEver(FRAME_COPIES * length, 'the call')
  } catch (error) {
    return Promise.reject(error)
  }
  // Asks first: a failing `take` would count as a refusal.
  if (memory.allows(FRAME_COPIES * length, 'arrival', 0)) {
    grant.take(FRAME_COPIES * length, 'a call', 'arrival')
    return undefined
  }
  grant.note(length)
  return grant.atOnceOrLater(() => grant.take((FRAME_COPIES - 1) * length, 'a call', 'arrival'), gone)
}
