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
