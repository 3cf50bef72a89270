import { OWN_CALL } from '../../../src/store/call.ts'
import type { Attempt } from './retrier.ts'
import type { Time } from './time.ts'

/** Milliseconds for work that a caller with a deadline starts and others share. */
const SHARED_MS = 20_000

/** An attempt at work that others may share: it does not end with its caller or its caller's deadline. */
export function sharedAttempt(attempt: Attempt, time: Time): Attempt {
  if (attempt.call.deadline === Number.POSITIVE_INFINITY) return attempt
  const deadline = time.now() + SHARED_MS
  return { number: attempt.number, deadline, timeoutMs: SHARED_MS, call: OWN_CALL }
}
