import { performance } from 'node:perf_hooks'
import type { Time } from './time.ts'

/** Timers do not keep the process alive: what waits here is a request, which a door's connection keeps alive. */
export const NODE_TIME: Time = {
  now: () => performance.now(),
  epochMs: () => Date.now(),
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms)
    timer.unref()
    return () => clearTimeout(timer)
  },
}
