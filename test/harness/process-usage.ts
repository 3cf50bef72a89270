/** The resources that a process has used so far, from /proc; NaN if /proc does not tell. */

import { readFileSync } from 'node:fs'

/** Seconds of processor time, user and system. */
export function cpuSeconds(pid: number | undefined): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) / 100
  } catch {
    return Number.NaN
  }
}

export function residentBytes(pid: number | undefined): number {
  try {
    const match = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))
    return Number(match?.[1]) * 1024
  } catch {
    return Number.NaN
  }
}
