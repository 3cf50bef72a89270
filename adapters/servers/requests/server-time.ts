import { setTimeout as sleep } from 'node:timers/promises'

/** Time for calls of servers, as an argument, so that tests can move it. */
export interface ServerTime {
  /** Milliseconds since 1970. */
  now(): number
  /** Resolves after `milliseconds`, or as soon as the caller hangs up. */
  pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void>
}

export const SERVER_TIME: ServerTime = {
  now: () => Date.now(),
  pause: (milliseconds, signal) =>
    sleep(milliseconds, undefined, { ...(signal && { signal }) }).catch(() => undefined),
}
