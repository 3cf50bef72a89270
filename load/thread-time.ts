/** Processor time of a process's threads, from /proc, in nanoseconds: the clock of `/proc/PID/stat` counts hundredths of a second. */

import { readdirSync, readFileSync } from 'node:fs'

export interface ThreadTime {
  /** Microseconds of the thread that runs the event loop. */
  readonly main: number
  /** Microseconds of all other threads together: V8's, the thread pool's, workers', those that serve connections. */
  readonly others: number
}

/** The time that the process has used so far. Throws where /proc does not have it. */
export function threadTime(pid: number): ThreadTime {
  let main = 0
  let others = 0
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const micros = microsOf(`/proc/${pid}/task/${thread}/schedstat`)
    if (thread === String(pid)) main += micros
    else others += micros
  }
  return { main, others }
}

/** A thread that ended since it was listed has no file. */
function microsOf(path: string): number {
  try {
    return Number(readFileSync(path, 'latin1').split(' ')[0]) / 1000
  } catch {
    return 0
  }
}
