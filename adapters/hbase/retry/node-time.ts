import { performance } from 'node:perf_hooks'
import type { Time } from './time.ts'

/** Timers do not keep the process alive: only requests wait, and a door's connection keeps those alive. */
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
 * For a command, whose own work is what waits: its timers keep the process alive. Between two attempts at a server that is not
 * there nothing else is open, and the process would end without a word.
 */
export const COMMAND_TIME: Time = {
  ...NODE_TIME,
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms)
    return () => clearTimeout(timer)
  },
}
