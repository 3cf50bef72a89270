/** Instructions of a process, by `perf stat`: unlike times they do not depend on what else the machine does. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'

export interface InstructionCount {
  /** The instructions since the begin; NaN where perf is missing, or counts none on this machine. */
  stop(): Promise<number>
}

const UNKNOWN: InstructionCount = { stop: () => Promise.resolve(Number.NaN) }
/** Perf says nothing when it has begun. */
const ATTACH_MS = 100

export async function countInstructions(pid: number | undefined): Promise<InstructionCount> {
  const perf = spawn('perf', ['stat', '-x', ',', '-e', 'instructions', '-p', String(pid)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  perf.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const ended = Promise.race([once(perf, 'close'), once(perf, 'error')]).catch(() => undefined)
  const isGone = await Promise.race([
    ended.then(() => true),
    new Promise<boolean>((resolve) => setTimeout(() => resolve(false), ATTACH_MS)),
  ])
  if (isGone) return UNKNOWN
  return {
    stop: async () => {
      perf.kill('SIGINT')
      await ended
      const counts = said.split('\n').filter((line) => line.includes('instructions'))
      return counts.length === 0
        ? Number.NaN
        : counts.reduce((sum, line) => sum + Number.parseInt(line, 10), 0)
    },
  }
}
