/** What every request carries: who asks, until when somebody waits for the answer, and whether anybody still does. */

import { HBaseError } from '../model/errors.ts'

export interface Principal {
  readonly user: string
}

export interface Call {
  /** Undefined where the client has not said who it is. */
  readonly principal: Principal | undefined
  /** Milliseconds since 1970 after which nobody waits for the answer; Infinity: the client states none. */
  readonly deadline: number
  /**
   * Aborted once nobody waits for the answer any more: the client has hung up. It stays on the caller's side: between
   * threads a message says that it was aborted.
   */
  readonly signal: AbortSignal | undefined
  /** A W3C trace context, as the client sent it. */
  readonly trace: string | undefined
  /** Of HBase's call queues: HConstants.NORMAL_QOS 0, ADMIN_QOS 100, HIGH_QOS 200. */
  readonly priority: number
}

/** Tidegate's own calls: nobody hangs up on them. */
export const OWN_CALL: Call = {
  principal: undefined,
  deadline: Number.POSITIVE_INFINITY,
  signal: undefined,
  trace: undefined,
  priority: 0,
}

/** The same call for the rest of a change that must not stop halfway, whether or not the client waits. */
export function toTheEnd(call: Call): Call {
  return { ...call, signal: undefined }
}

/** Throws TIMEOUT, CALLER_GONE where nobody waits for the answer any more. `now`: milliseconds since 1970. */
export function checkIsAwaited({ signal, deadline }: Call, now: number): void {
  if (signal?.aborted === true) throw new HBaseError('CALLER_GONE', 'the client has hung up')
  if (now >= deadline)
    throw new HBaseError('TIMEOUT', `the call's deadline has passed ${now - deadline} ms ago`)
}
