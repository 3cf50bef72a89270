import { OWN_CALL } from '../../../src/store/call.ts'
import type { Attempt } from './retrier.ts'
import type { Time } from './time.ts'

/** What a caller in a hurry has begun goes on for so long. */
const SHARED_MS = 20_000

/** An attempt at what others may wait for too: it ends neither with its caller's time nor with its caller. */
export function unhurried(attempt: Attempt, time: Time): Attempt {
  if (attempt.call.deadline === Number.POSITIVE_INFINITY) return attempt
  const deadline = time.now() + SHARED_MS
  return { number: attempt.number, deadline, timeoutMs: SHARED_MS, call: OWN_CALL }
}
