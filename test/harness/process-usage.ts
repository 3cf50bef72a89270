/** The resources that a process has used so far, from /proc; NaN if /proc does not tell. */

import { readdirSync, readFileSync } from 'node:fs'

/** Seconds of processor time, user and system. */
export function cpuSeconds(pid: number | undefined): number {
  try {
    return secondsOf(`/proc/${pid}/stat`)
  } catch {
    return Number.NaN
  }
}

/** Seconds of processor time of each thread whose name begins so, by name; empty if /proc does not tell. */
export function cpuSecondsOfThreads(pid: number | undefined, prefix: string): ReadonlyMap<string, number> {
  const seconds = new Map<string, number>()
  try {
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      const folder = `/proc/${pid}/task/${thread}`
      const name = readFileSync(`${folder}/comm`, 'latin1').trim()
      if (name.startsWith(prefix)) seconds.set(name, secondsOf(`${folder}/stat`))
    }
  } catch {
    // A thread may end meanwhile, and other systems have no /proc.
  }
  return seconds
}

function secondsOf(stat: string): number {
  const text = readFileSync(stat, 'latin1')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

export function residentBytes(pid: number | undefined): number {
  try {
    const match = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))
    return Number(match?.[1]) * 1024
  } catch {
    return Number.NaN
  }
}
