/** Other processes of this machine, as far as the system shows them. */

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

export interface ProcessFacts {
  readonly parent: number
  readonly group: number
  /** The command line; only the program where the system shows no more. */
  readonly command: string
}

/** Undefined where there is no such process, or the system does not show it. */
export function processFacts(pid: number): ProcessFacts | undefined {
  if (process.platform === 'win32') return undefined
  return process.platform === 'linux' ? factsFromProc(pid) : factsFromPs(pid)
}

/** Whether `pid` still is the parent of `child`. A dead process is no parent, though its own parent may not have collected it yet. */
export function isParent(pid: number, child: number): boolean {
  if (child === process.pid) return process.ppid === pid
  if (process.platform === 'linux') return factsFromProc(child)?.parent === pid
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function factsFromProc(pid: number): ProcessFacts | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name before it stands in parentheses, and may hold any characters.
    const [, parent, group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
    return { parent: Number(parent), group: Number(group), command }
  } catch {
    return undefined
  }
}

function factsFromPs(pid: number): ProcessFacts | undefined {
  const format = ['-o', 'ppid=', '-o', 'pgid=', '-o', 'command=']
  const { stdout } = spawnSync('ps', [...format, '-p', String(pid)], { encoding: 'utf8' })
  const match = /^\s*(\d+)\s+(\d+)\s+(.*?)\s*$/.exec(stdout ?? '')
  if (match === null) return undefined
  return { parent: Number(match[1]), group: Number(match[2]), command: match[3]! }
}
