/**
 * Child processes that never outlive this one, such as the JVMs of a real HBase: however this process ends, short of SIGKILL,
 * its children are killed by their ids first.
 */

import type { ChildProcess } from 'node:child_process'
import { constants } from 'node:os'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** What is to be done after a child has been killed. */
const owned = new Map<ChildProcess, () => void>()
let isWatching = false

/** `cleanUp`: called, synchronously, after the child was killed because this process ends; not where it ends by itself. */
export function own(child: ChildProcess, cleanUp: () => void = () => undefined): void {
  owned.set(child, cleanUp)
  child.once('exit', () => owned.delete(child))
  if (isWatching) return
  isWatching = true
  process.on('exit', killAll)
  for (const signal of SIGNALS) process.on(signal, endBy)
}

function endBy(signal: (typeof SIGNALS)[number]): void {
  killAll()
  // Another listener decides for itself when this process ends.
  if (process.listenerCount(signal) === 1) process.exit(128 + constants.signals[signal])
}

function killAll(): void {
  const all = [...owned]
  owned.clear()
  for (const [child] of all) child.kill('SIGKILL')
  for (const [, cleanUp] of all) cleanUp()
}
