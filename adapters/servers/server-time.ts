import { setTimeout as sleep } from 'node:timers/promises'

/** The time of calls of servers. Tests have their own. */
export interface ServerTime {
  /** Milliseconds since 1970. */
  now(): number
  /** Resolves after so many milliseconds, or as soon as the caller hangs up. */
  pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void>
}

export const SERVER_TIME: ServerTime = {
  now: () => Date.now(),
  pause: (milliseconds, signal) =>
    sleep(milliseconds, undefined, { ...(signal && { signal }) }).catch(() => undefined),
}
