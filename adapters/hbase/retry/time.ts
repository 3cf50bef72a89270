import { performance } from 'node:perf_hooks'

/** Time as an argument, so that tests can move it. */
export interface Time {
  /** Monotonic milliseconds, from any origin. */
  now(): number
  /** Milliseconds since 1970, the unit of callers' deadlines. The clock may be set meanwhile. */
  epochMs(): number
  /** Calls `callback` once after `ms` milliseconds, unless the returned function is called before. */
  after(ms: number, callback: () => void): () => void
}

/** Timers do not keep the process alive: only requests wait on them, and the door's connection of a request keeps the process alive. */
export const NODE_TIME: Time = {
  now: () => performance.now(),
  epochMs: () => Date.now(),
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms)
    timer.unref()
    return () => clearTimeout(timer)
  },
}

/**
 * Time for a command: its timers keep the process alive. Between two attempts at an unreachable server nothing else is open, and the process
 * would end silently.
 */
export const COMMAND_TIME: Time = {
  ...NODE_TIME,
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms)
    return () => clearTimeout(timer)
  },
}
