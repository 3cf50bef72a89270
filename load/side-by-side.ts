/** Two servers under the same requests, in rounds that alternate: the median round counts, and only the ratio means something. */

import type { LoopResult } from '../test/harness/closed-loop.ts'
import { cpuSeconds } from '../test/harness/process-usage.ts'
import { checkSameAnswers } from './compare/same-answers.ts'

const ROUNDS = 5
export const ROUND_MS: number = Number(process.env['TIDEGATE_BENCH_ROUND_MS'] ?? 3000)
const WARM_UP_MS = ROUND_MS * 3

export interface Side {
  readonly pid: number | undefined
  run(durationMs: number): Promise<LoopResult>
}

export interface Comparison {
  readonly name: string
  readonly goal: number
  readonly ours: Side
  readonly peer: Side
}

interface Round {
  readonly callsPerSecond: number
  readonly p99Ms: number
  readonly cpuMicros: number
}

async function measure(side: Side): Promise<Round> {
  const before = cpuSeconds(side.pid)
  const { callsPerSecond, p99Ms, calls } = await side.run(ROUND_MS)
  return { callsPerSecond, p99Ms, cpuMicros: ((cpuSeconds(side.pid) - before) * 1e6) / calls }
}

function median(rounds: readonly Round[]): Round {
  return [...rounds].sort((a, b) => a.callsPerSecond - b.callsPerSecond)[Math.floor(rounds.length / 2)]!
}

/** Prints the figures of both. True where the goal is met. Throws where the two answer otherwise. */
export async function compare({ name, goal, ours, peer }: Comparison): Promise<boolean> {
  const warmUps = { tidegate: await ours.run(WARM_UP_MS), hbase: await peer.run(WARM_UP_MS) }
  checkSameAnswers(name, Object.entries(warmUps))
  const rounds: { ours: Round[]; peer: Round[] } = { ours: [], peer: [] }
  for (let round = 0; round < ROUNDS; round++) {
    rounds.ours.push(await measure(ours))
    rounds.peer.push(await measure(peer))
  }
  const [a, b] = [median(rounds.ours), median(rounds.peer)]
  const ratio = a.callsPerSecond / b.callsPerSecond
  const text = ({ callsPerSecond, p99Ms, cpuMicros }: Round): string =>
    `${Math.round(callsPerSecond)}/s, p99 ${p99Ms.toFixed(2)} ms, ${cpuMicros.toFixed(1)} us CPU a call`
  process.stdout.write(
    `${name}: ratio ${ratio.toFixed(2)} (goal ${goal})\n  tidegate ${text(a)}\n  hbase    ${text(b)}\n`,
  )
  return ratio >= goal
}
