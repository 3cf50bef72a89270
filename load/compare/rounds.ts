/** Rounds of a workload on its targets in turn, A B C A B C: the median round of each counts, and its ratio to HBase's. */

import type { LoopResult } from '../../test/harness/closed-loop.ts'
import { cpuSeconds } from '../../test/harness/process-usage.ts'
import { checkSameAnswers } from './same-answers.ts'
import type { Door, Target, TargetName, Targets } from './target.ts'
import type { Run, Workload } from './workload.ts'

const ROUNDS = 5
const ROUND_MS = Number(process.env['TIDEGATE_BENCH_ROUND_MS'] ?? 3000)
const WARM_UP_MS = 2 * ROUND_MS
/** Before the first rounds of a door: JVMs compile what is hot only after half a minute. */
const FIRST_WARM_UP_MS = 12 * ROUND_MS
/** Of the calls a second that HBase answers at most: the load at which latencies are compared. */
const PACED_PART = 0.5

export interface Figures extends LoopResult {
  /** Processor time a call, in microseconds: of the process at the door, and of all that the call needs. */
  readonly doorMicros: number
  readonly allMicros: number
}

export interface Measured {
  readonly workload: Workload
  readonly figures: Partial<Record<TargetName, Figures>>
  /** At a fixed load that HBase answers, from clients that come at times of their own. */
  readonly paced: Partial<Record<TargetName, LoopResult>>
  readonly pacedCallsPerSecond: number | undefined
}

interface Participant {
  readonly target: Target
  readonly run: Run
  readonly rounds: Figures[]
}

function processorSeconds(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0)
}

async function round({ run, target, rounds }: Participant, { door }: Workload): Promise<void> {
  const [ofDoor, ofAll] = [[target.doors[door]], target.all[door]]
  const before = [processorSeconds(ofDoor), processorSeconds(ofAll)] as const
  const result = await run(ROUND_MS)
  const micros = (pids: readonly number[], since: number): number =>
    ((processorSeconds(pids) - since) * 1e6) / result.calls
  rounds.push({ ...result, doorMicros: micros(ofDoor, before[0]), allMicros: micros(ofAll, before[1]) })
}

function median(rounds: readonly Figures[]): Figures {
  return rounds.toSorted((a, b) => a.callsPerSecond - b.callsPerSecond)[Math.floor(rounds.length / 2)]!
}

function targetsOf({ goals }: Workload, { hbase, engine, cluster }: Targets): Target[] {
  return [
    hbase,
    ...(goals.engine === undefined ? [] : [engine]),
    ...(goals.cluster === undefined ? [] : [cluster]),
  ]
}

/** The workload's run, whose failures say which server's they are. */
async function namedRun(workload: Workload, target: Target): Promise<Run> {
  const run = await workload.prepare(target)
  return async (...load) => {
    try {
      return await run(...load)
    } catch (error) {
      throw new Error(`${workload.name}, ${target.name}: ${String(error)}`, { cause: error })
    }
  }
}

/** `warmed`: HBase's doors that have answered workloads before this one, which adds its own. */
export async function measure(workload: Workload, targets: Targets, warmed: Set<Door>): Promise<Measured> {
  const participants: Participant[] = []
  for (const target of targetsOf(workload, targets)) {
    participants.push({ target, run: await namedRun(workload, target), rounds: [] })
  }
  const warmUps: [TargetName, LoopResult][] = []
  for (const { target, run } of participants) {
    const isFirst = target.name === 'hbase' && !warmed.has(workload.door)
    warmUps.push([target.name, await run(isFirst ? FIRST_WARM_UP_MS : WARM_UP_MS)])
  }
  checkSameAnswers(workload.name, warmUps)
  warmed.add(workload.door)
  for (let number = 0; number < ROUNDS; number++) {
    for (const participant of participants) await round(participant, workload)
  }
  const medians = participants.map(({ target, rounds }) => [target.name, median(rounds)] as const)
  checkSameAnswers(workload.name, medians)
  const figures: Measured['figures'] = Object.fromEntries(medians)
  const pacedCallsPerSecond = workload.isPaced ? figures.hbase!.callsPerSecond * PACED_PART : undefined
  const paced: [TargetName, LoopResult][] = []
  if (pacedCallsPerSecond !== undefined) {
    for (const { target, run } of participants) {
      paced.push([target.name, await run(ROUND_MS, pacedCallsPerSecond)])
    }
    checkSameAnswers(workload.name, paced)
  }
  return { workload, figures, paced: Object.fromEntries(paced), pacedCallsPerSecond }
}
